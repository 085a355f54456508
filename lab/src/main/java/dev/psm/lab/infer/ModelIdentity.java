package dev.psm.lab.infer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import dev.psm.core.io.JsonField;
import dev.psm.zeroshot.ZeroShotAgent;
import java.util.OptionalLong;

/**
 * Which model task vectors belong to. To another seed's, or to the same one after more training,
 * the same vector is another behaviour, and nothing in its numbers would tell.
 *
 * @param agent its id
 * @param tensors {@link ZeroShotAgent#fingerprint}, which alone decides
 * @param seed of its training, for a person; empty where its file does not say
 * @param gradientSteps likewise
 */
public record ModelIdentity(
    String agent,
    String environment,
    String tensors,
    OptionalLong seed,
    OptionalLong gradientSteps) {
  private static final String AGENT = "agent";
  private static final String ENVIRONMENT = "environment";
  private static final String TENSORS = "modelSha256";
  private static final String SEED = "seed";
  private static final String STEPS = "gradientSteps";
  private static final int SHOWN = 12;

  static ModelIdentity of(ZeroShotAgent agent) {
    ObjectNode about = agent.description();
    return new ModelIdentity(
        agent.name(),
        agent.environment().reference(),
        agent.fingerprint(),
        whole(about.path(SEED)),
        whole(about.path(STEPS)));
  }

  static ModelIdentity of(JsonField root) {
    return new ModelIdentity(
        root.get(AGENT).text(),
        root.get(ENVIRONMENT).text(),
        root.get(TENSORS).text(),
        whole(root.object().path(SEED)),
        whole(root.object().path(STEPS)));
  }

  private static OptionalLong whole(JsonNode number) {
    return number.isIntegralNumber() ? OptionalLong.of(number.asLong()) : OptionalLong.empty();
  }

  void put(ObjectNode node) {
    node.put(AGENT, agent).put(ENVIRONMENT, environment).put(TENSORS, tensors);
    seed.ifPresent(found -> node.put(SEED, found));
    gradientSteps.ifPresent(found -> node.put(STEPS, found));
  }

  /** The task of a part must be performed with the model that it was planned with. */
  void require(ZeroShotAgent found, String folder) {
    ModelIdentity other = of(found);
    if (!other.tensors.equals(tensors)) {
      throw UserError.failed(
          null,
          "%s was trained on since the pass began, or is another model on this machine: it holds %s,"
              + " and the pass is of %s; export the agent, and infer with the copy",
          folder,
          other.words(),
          words());
    }
  }

  /** For a person. */
  String words() {
    StringBuilder words = new StringBuilder("%s on %s".formatted(agent, environment));
    seed.ifPresent(found -> words.append(", seed ").append(found));
    gradientSteps.ifPresent(found -> words.append(" after ").append(found).append(" steps"));
    return words
        .append(", tensors ")
        .append(tensors, 0, Math.min(SHOWN, tensors.length()))
        .toString();
  }
}
