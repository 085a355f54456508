package dev.psm.studio.service;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.agents.SolveMethod;
import dev.psm.core.UserError;
import dev.psm.core.env.World;
import dev.psm.core.io.Hashes;
import dev.psm.core.io.JsonField;
import dev.psm.core.reward.Task;
import dev.psm.core.reward.formula.Formula;
import dev.psm.studio.web.RequestError;
import dev.psm.zeroshot.Prompt;
import dev.psm.zeroshot.ZeroShotAgent;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A prompt as a program writes it.
 *
 * @param field where it was written, for errors
 * @param agent that solves it, by the method that was asked for
 * @param id of its policy: equal prompts have the same
 */
record SolveRequest(JsonField field, ZeroShotAgent agent, Prompt prompt, String id) {
  /** Linear programmes are left out: they may take minutes, in which nobody else is solved for. */
  static final List<SolveMethod> METHODS =
      List.of(SolveMethod.DUAL, SolveMethod.BEST, SolveMethod.GPI);

  private static final String METHOD = "method";
  private static final List<String> PROMPTS =
      List.of("task", "formula", "goal", "samples", "demonstration");
  private static final int DEFAULT_WINDOW = 10;
  private static final int ID_LENGTH = 32;

  static SolveRequest read(ObjectNode document, ServedModel model, ServiceLimits limits) {
    JsonField body = JsonField.of("body", document);
    body.checkKeys(List.of("task", "formula", "goal", "samples", "demonstration", METHOD));
    List<String> given = PROMPTS.stream().filter(body::has).toList();
    if (given.size() != 1) {
      throw body.error(
          "expected one prompt, %s; found %s"
              .formatted(
                  String.join(" or ", PROMPTS),
                  given.isEmpty() ? "none" : String.join(" and ", given)));
    }
    Optional<SolveMethod> method =
        body.has(METHOD) ? Optional.of(method(body.get(METHOD))) : Optional.empty();
    ZeroShotAgent agent =
        method
            .map(each -> body.get(METHOD).within(() -> model.agent().solvingBy(each)))
            .orElseGet(model::agent);
    List<SolveMethod> own = agent.model().methods();
    if (!own.isEmpty() && !METHODS.contains(own.get(0))) {
      throw body.error(
          "this agent solves by %s unless told otherwise, which takes too long here; name a '%s', one of %s"
              .formatted(own.get(0).id(), METHOD, names(METHODS)));
    }
    JsonField field = body.get(given.get(0));
    Reader reader = new Reader(agent, limits);
    Prompt prompt =
        switch (given.get(0)) {
          case "task" -> reader.task(field);
          case "formula" -> reader.formula(field);
          case "goal" -> reader.goal(field);
          case "samples" -> reader.samples(field);
          default -> reader.demonstration(field);
        };
    String how = model.id() + "\n" + method.map(SolveMethod::id).orElse("") + "\n";
    return new SolveRequest(field, agent, prompt, id(how, prompt));
  }

  private static SolveMethod method(JsonField field) {
    String name = field.text();
    return METHODS.stream()
        .filter(each -> each.id().equals(name))
        .findFirst()
        .orElseThrow(
            () -> field.error("expected one of %s, found '%s'".formatted(names(METHODS), name)));
  }

  private static String names(List<SolveMethod> methods) {
    return methods.stream().map(SolveMethod::id).collect(Collectors.joining(", "));
  }

  /** The prompt's own content, so that the same id means the same policy, also tomorrow. */
  private static String id(String how, Prompt prompt) {
    byte[] head = (how + prompt.kind() + "\n").getBytes(StandardCharsets.UTF_8);
    String hash;
    if (prompt instanceof Prompt.Reward paid) {
      Task task = paid.task();
      String text = task.formula().isEmpty() ? "task " + task.name() : task.formula().strip();
      hash = Hashes.sha256(head, text.getBytes(StandardCharsets.UTF_8));
    } else if (prompt instanceof Prompt.Goal goal) {
      float[] numbers = goal.observation().clone();
      for (int i = 0; i < numbers.length; i++) {
        // Of −0.0, which is the same goal.
        numbers[i] += 0.0f;
      }
      hash = Hashes.sha256(head, bytes(numbers));
    } else if (prompt instanceof Prompt.Samples labelled) {
      ByteBuffer rewards = ByteBuffer.allocate(labelled.rewards().length * Double.BYTES);
      rewards.asDoubleBuffer().put(labelled.rewards());
      hash = Hashes.sha256(head, bytes(labelled.observations()), rewards.array());
    } else {
      Prompt.Demonstration shown = (Prompt.Demonstration) prompt;
      byte[] window = ByteBuffer.allocate(Integer.BYTES).putInt(shown.window()).array();
      hash = Hashes.sha256(head, window, bytes(shown.observations()));
    }
    return hash.substring(0, ID_LENGTH);
  }

  private static byte[] bytes(float[] numbers) {
    ByteBuffer buffer = ByteBuffer.allocate(numbers.length * Float.BYTES);
    buffer.asFloatBuffer().put(numbers);
    return buffer.array();
  }

  /** Reads the prompts of one agent. */
  private record Reader(ZeroShotAgent agent, ServiceLimits limits) {
    private World world() {
      return agent.environment();
    }

    Prompt task(JsonField field) {
      return new Prompt.Reward(field.within(() -> world().task(field.text())));
    }

    Prompt formula(JsonField field) {
      String text = field.textOrBlank();
      if (text.length() > limits.maxFormula()) {
        throw field.error(
            "expected at most %,d characters, found %,d"
                .formatted(limits.maxFormula(), text.length()));
      }
      Task task = field.within(() -> world().taskOrFormula(text));
      if (task.reward() instanceof Formula formula && formula.cost() > limits.maxFormulaCost()) {
        throw field.error(
            "expected a formula of a cost of at most %,d, found %,d; a name, number or operator"
                    .formatted(limits.maxFormulaCost(), formula.cost())
                + " costs 1, most functions 5");
      }
      return new Prompt.Reward(task);
    }

    Prompt goal(JsonField field) {
      float[] goal = field.floats();
      int size = agent.model().goalSize();
      int whole = world().observationSize();
      if (goal.length != size && goal.length != whole) {
        throw field.error(
            "expected %s, found %d numbers"
                .formatted(
                    size == whole
                        ? "an observation of %d numbers".formatted(whole)
                        : "a goal of %d numbers, or an observation of %d".formatted(size, whole),
                    goal.length));
      }
      return new Prompt.Goal(goal, "given", Optional.empty());
    }

    Prompt samples(JsonField field) {
      field.checkKeys(List.of("observations", "rewards"));
      float[] observations = observations(field, 1);
      JsonField rewards = field.get("rewards");
      return new Prompt.Samples(
          observations, rewards.numbers(observations.length / world().observationSize()), "given");
    }

    Prompt demonstration(JsonField field) {
      field.checkKeys(List.of("observations", "window"));
      int window =
          field.has("window") ? field.get("window").integer(1, Integer.MAX_VALUE) : DEFAULT_WINDOW;
      float[] observations = observations(field, 2);
      long steps = observations.length / world().observationSize();
      int numbers = Math.max(agent.model().taskSize(), agent.model().featureDimension());
      if (steps * numbers * Float.BYTES > PolicyCache.MAX_BYTES / 4) {
        throw field
            .get("observations")
            .error(
                "expected at most %,d states, since each has a task of %,d numbers; found %,d"
                    .formatted(PolicyCache.MAX_BYTES / 4 / numbers / Float.BYTES, numbers, steps));
      }
      return new Prompt.Demonstration(observations, window, "given", Optional.empty());
    }

    private float[] observations(JsonField field, int least) {
      JsonField rows = field.get("observations");
      float[] observations = rows.rows(world().observationSize(), limits.maxStates());
      if (observations.length < least * world().observationSize()) {
        throw rows.error("expected at least %d states".formatted(least));
      }
      return observations;
    }
  }

  /** Solves it; what is wrong with the prompt is told of the request. */
  ServedPolicy solve(ServedModel model) {
    try {
      return field.within(() -> ServedPolicy.solve(id, model, agent, prompt));
    } catch (UserError | RequestError e) {
      throw e;
    } catch (IllegalArgumentException e) {
      throw RequestError.invalid(
          "%s: the prompt cannot be solved: %s", field.place(), e.getMessage());
    }
  }
}
