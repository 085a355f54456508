package dev.psm.lab.collect;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import dev.psm.core.io.Json;
import dev.psm.lab.compute.WorkContext;
import dev.psm.lab.pass.Packed;
import dev.psm.lab.pass.PassWork;
import java.util.Optional;

/** Computes the rewards of a part of a dataset, in single precision. */
public final class RelabelWork extends PassWork {
  static final String REWARDS = "rewards";
  static final String SUM = "sum";
  static final String LARGEST = "largest";

  @Override
  protected Optional<ObjectNode> performPart(ObjectNode part, WorkContext context) {
    return Optional.of(
        RelabelPart.perform(
            part,
            (dataset, states, task, range) -> {
              long first = range.firstRow(dataset);
              float[] rewards = new float[Math.toIntExact(range.rows(dataset))];
              double[] sum = new double[1];
              double[] largest = new double[1];
              states.pay(
                  task,
                  first,
                  range.endRow(dataset),
                  (row, block) -> {
                    for (int i = 0; i < block.length; i++) {
                      float paid = (float) block[i];
                      if (!Float.isFinite(paid)) {
                        throw UserError.invalid(
                            "the reward of row %d is %s, which is not a finite number of single"
                                + " precision; scale or clip the formula",
                            row + i, block[i]);
                      }
                      rewards[(int) (row - first) + i] = paid;
                      sum[0] += block[i];
                      largest[0] = Math.max(largest[0], Math.abs(block[i]));
                    }
                  });
              ObjectNode answer = Json.object().put(SUM, sum[0]).put(LARGEST, largest[0]);
              Packed.put(answer, REWARDS, rewards);
              return answer;
            }));
  }
}
