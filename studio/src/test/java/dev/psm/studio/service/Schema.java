package dev.psm.studio.service;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;

/** As much of JSON Schema as the OpenAPI document uses; anything else in it fails the test. */
final class Schema {
  private static final Set<String> KNOWN =
      Set.of(
          "$ref",
          "type",
          "properties",
          "required",
          "additionalProperties",
          "items",
          "oneOf",
          "enum",
          "const",
          "minimum",
          "minItems",
          "maxItems",
          "default",
          "description");

  private final JsonNode document;

  Schema(JsonNode document) {
    this.document = document;
  }

  /** What is wrong with a value; empty where nothing is. */
  String check(JsonNode schema, JsonNode value, String at) {
    for (var names = schema.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      if (!KNOWN.contains(name)) {
        return at + ": the schema says " + name;
      }
    }
    if (schema.has("$ref")) {
      JsonNode named = document.at(schema.get("$ref").textValue().substring(1));
      return named.isMissingNode() ? at + ": no " + schema : check(named, value, at);
    }
    if (schema.has("oneOf")) {
      int fitting = 0;
      StringBuilder wrong = new StringBuilder();
      for (JsonNode each : schema.get("oneOf")) {
        String found = check(each, value, at);
        fitting += found.isEmpty() ? 1 : 0;
        wrong.append(found).append("; ");
      }
      return fitting == 1 ? "" : at + ": " + fitting + " fit: " + wrong;
    }
    if (schema.has("const") && !schema.get("const").equals(value)) {
      return at + ": not " + schema.get("const");
    }
    if (schema.has("enum")) {
      for (JsonNode each : schema.get("enum")) {
        if (each.equals(value)) {
          return "";
        }
      }
      return at + ": not among " + schema.get("enum");
    }
    return schema.has("type") ? typed(schema, value, at) : "";
  }

  private String typed(JsonNode schema, JsonNode value, String at) {
    boolean fits =
        switch (schema.get("type").textValue()) {
          case "string" -> value.isTextual();
          case "boolean" -> value.isBoolean();
          case "integer" -> value.isIntegralNumber();
          case "number" -> value.isNumber();
          case "array" -> value.isArray();
          case "object" -> value.isObject();
          default -> false;
        };
    if (!fits) {
      return at + ": not of type " + schema.get("type");
    }
    if (value.isArray() && schema.has("items")) {
      for (int i = 0; i < value.size(); i++) {
        String wrong = check(schema.get("items"), value.get(i), at + "[" + i + "]");
        if (!wrong.isEmpty()) {
          return wrong;
        }
      }
    }
    return value.isObject() ? members(schema, value, at) : "";
  }

  private String members(JsonNode schema, JsonNode value, String at) {
    for (JsonNode name : schema.path("required")) {
      if (!value.has(name.textValue())) {
        return at + ": lacks " + name;
      }
    }
    for (var fields = value.fields(); fields.hasNext(); ) {
      var field = fields.next();
      JsonNode known = schema.path("properties").get(field.getKey());
      if (known == null && !schema.path("additionalProperties").asBoolean(true)) {
        return at + ": has " + field.getKey();
      }
      String wrong = known == null ? "" : check(known, field.getValue(), at + "." + field.getKey());
      if (!wrong.isEmpty()) {
        return wrong;
      }
    }
    return "";
  }
}
