package dev.psm.bench.fuzz;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ContainerNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import dev.psm.core.io.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * JSON documents with keys dropped, doubled, renamed and added, and values of other types, of
 * extreme sizes, nested beyond reason or from elsewhere in the document.
 */
final class JsonMutator implements Function<RandomGenerator, byte[]> {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /** Takes the place of a key that is to be there twice, which no tree can hold. */
  private static final String AGAIN = "@again@";

  private static final List<String> VALUES =
      List.of(
          "null",
          "true",
          "false",
          "0",
          "-1",
          "1",
          "2",
          "-0.0",
          "0.5",
          "1.0",
          "1e308",
          "1e400",
          "-1e400",
          "4.9e-324",
          "1e-400",
          "127",
          "128",
          "255",
          "65535",
          "65536",
          "65537",
          "2000000000",
          "2147483647",
          "2147483648",
          "-2147483648",
          "4294967296",
          "9007199254740993",
          "9223372036854775807",
          "9223372036854775808",
          "-9223372036854775808",
          "1" + "0".repeat(300),
          "1" + "0".repeat(1100),
          "1e999999999",
          "0.1" + "0".repeat(300),
          "[]",
          "{}",
          "[[]]",
          "[null]",
          "{\"\":0}",
          "[0,0]",
          "[-1,-1]",
          "\"\"",
          "\" \"",
          "\"x\"",
          "\"0\"",
          "\"NaN\"",
          "\"Infinity\"",
          "\"-1\"",
          "\"../../etc/passwd\"",
          "\"/etc/passwd\"",
          "\"\\u0000\"",
          "\"\\u001b[2J\"",
          "\"\\u202e\"",
          "\"\\ud800\"",
          "\"\\ud83d\\ude00\"",
          "\"a\\nb\"",
          "\"%s %n %d\"",
          "\"" + "x".repeat(300) + "\"",
          "[".repeat(50) + "]".repeat(50),
          "[".repeat(990) + "]".repeat(990),
          "{\"a\":".repeat(2000) + "0" + "}".repeat(2000));

  /** As large as a hostile file may well be; seldom, since they take long to write. */
  private static final List<String> LARGE =
      List.of(
          "\"" + "y".repeat(1 << 20) + "\"",
          "[" + "0,".repeat(100_000) + "0]",
          "[" + "{},".repeat(50_000) + "0]",
          "[".repeat(100_000));

  private static final List<String> KEYS =
      List.of("", "x", "format", "\u001b[2J", "__proto__", "a.b", "k".repeat(5000), "\ud800");

  private final List<JsonNode> sound;
  private final ByteMutator bytes;

  JsonMutator(JsonNode... sound) {
    this.sound = List.of(sound);
    this.bytes =
        new ByteMutator(this.sound.stream().map(JsonMutator::bytes).toArray(byte[][]::new));
  }

  static JsonMutator of(byte[]... documents) {
    JsonNode[] sound = new JsonNode[documents.length];
    for (int i = 0; i < sound.length; i++) {
      sound[i] = Json.parse(new String(documents[i], StandardCharsets.UTF_8), "a sound document");
    }
    return new JsonMutator(sound);
  }

  @Override
  public byte[] apply(RandomGenerator random) {
    byte[] text = bytes(mutated(random));
    return random.nextInt(8) == 0 ? bytes.damage(text, random) : text;
  }

  private static byte[] bytes(JsonNode node) {
    return Json.line(node).getBytes(StandardCharsets.UTF_8);
  }

  private JsonNode mutated(RandomGenerator random) {
    if (random.nextInt(200) == 0) {
      return value(random);
    }
    JsonNode root = pick(sound, random).deepCopy();
    for (int i = random.nextInt(3); i >= 0; i--) {
      List<ContainerNode<?>> places = new ArrayList<>();
      collect(root, places);
      if (places.isEmpty()) {
        return value(random);
      }
      ContainerNode<?> place = pick(places, random);
      if (place instanceof ObjectNode object) {
        change(object, random);
      } else {
        change((ArrayNode) place, random);
      }
    }
    return root;
  }

  private static void collect(JsonNode node, List<ContainerNode<?>> places) {
    if (node instanceof ContainerNode<?> container) {
      places.add(container);
      node.forEach(child -> collect(child, places));
    }
  }

  private void change(ObjectNode object, RandomGenerator random) {
    List<String> keys = new ArrayList<>();
    object.fieldNames().forEachRemaining(keys::add);
    if (keys.isEmpty() || random.nextInt(12) == 0) {
      object.set(pick(KEYS, random), value(random));
      return;
    }
    String key = pick(keys, random);
    switch (random.nextInt(12)) {
      case 0 -> object.remove(key);
      case 1 -> object.set(pick(KEYS, random), object.remove(key));
      case 2 -> object.set(AGAIN, NODES.rawValueNode(new RawValue(again(key, object.get(key)))));
      case 3 -> object.set(key, object.get(pick(keys, random)).deepCopy());
      case 4 -> object.set(key, anywhere(random));
      case 5, 6, 7 -> object.set(key, tweaked(object.get(key), random));
      default -> object.set(key, value(random));
    }
  }

  /** Ends one entry and begins another with a key that there is already. */
  private static String again(String key, JsonNode value) {
    return "0," + Json.line(NODES.textNode(key)) + ":" + Json.line(value);
  }

  private void change(ArrayNode array, RandomGenerator random) {
    if (array.isEmpty() || random.nextInt(6) == 0) {
      array.insert(random.nextInt(array.size() + 1), value(random));
      return;
    }
    int at = random.nextInt(array.size());
    switch (random.nextInt(8)) {
      case 0 -> array.remove(at);
      case 1 -> array.insert(at, array.get(random.nextInt(array.size())).deepCopy());
      case 2 -> array.set(at, array.get(random.nextInt(array.size())).deepCopy());
      case 3 -> array.set(at, anywhere(random));
      case 4, 5 -> array.set(at, tweaked(array.get(at), random));
      case 6 -> array.removeAll();
      default -> array.set(at, value(random));
    }
  }

  private JsonNode anywhere(RandomGenerator random) {
    List<ContainerNode<?>> places = new ArrayList<>();
    collect(pick(sound, random), places);
    if (places.isEmpty()) {
      return value(random);
    }
    List<JsonNode> children = new ArrayList<>();
    pick(places, random).forEach(children::add);
    return children.isEmpty() ? value(random) : pick(children, random).deepCopy();
  }

  /** Nearly the same. */
  private static JsonNode tweaked(JsonNode node, RandomGenerator random) {
    if (node.isIntegralNumber()) {
      long number = node.longValue();
      return NODES.numberNode(
          switch (random.nextInt(6)) {
            case 0 -> number + 1;
            case 1 -> number - 1;
            case 2 -> -number;
            case 3 -> 2 * number;
            case 4 -> number << 32;
            default -> random.nextLong();
          });
    }
    if (node.isNumber()) {
      return NODES.numberNode(node.doubleValue() * (random.nextInt(5) - 2));
    }
    if (node.isTextual()) {
      StringBuilder text = new StringBuilder(node.textValue());
      int at = random.nextInt(text.length() + 1);
      switch (random.nextInt(4)) {
        case 0 -> text.insert(at, (char) random.nextInt(0x250));
        case 1 -> text.setLength(at);
        case 2 -> text.append(text);
        default -> text.replace(0, text.length(), text.toString().toUpperCase(Locale.ROOT));
      }
      return NODES.textNode(text.toString());
    }
    return node.isContainerNode() && random.nextBoolean() ? converted(node) : value(random);
  }

  /** A list as an object of the same values, and the other way round. */
  private static JsonNode converted(JsonNode container) {
    ObjectNode object = NODES.objectNode();
    ArrayNode array = NODES.arrayNode();
    container.forEach(child -> object.set(Integer.toString(object.size()), child));
    container.forEach(array::add);
    return container.isArray() ? object : array;
  }

  private static JsonNode value(RandomGenerator random) {
    return NODES.rawValueNode(
        new RawValue(pick(random.nextInt(500) == 0 ? LARGE : VALUES, random)));
  }

  private static <T> T pick(List<T> list, RandomGenerator random) {
    return list.get(random.nextInt(list.size()));
  }
}
