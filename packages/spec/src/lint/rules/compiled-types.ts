import type { Rule } from "../rule.ts";
import {
  isObject,
  listIn,
  report,
  type JsonObject,
  type Specification,
  type Spot,
} from "../specification.ts";
import { schemas } from "../walk.ts";

/**
 * Finds valid schemas for which generators write code that does not compile, or stop. Each has another spelling with
 * the same meaning.
 */
export const compiledTypes: Rule = {
  name: "compiled-types",
  *check(specification) {
    for (const spot of schemas(specification)) {
      for (const [found, expected] of problems(specification, spot)) {
        yield report(spot, found, expected);
      }
    }
  },
};

function* problems(
  specification: Specification,
  { file, value }: Spot,
): Generator<readonly [found: string, expected: string]> {
  const types = listIn(value, "type").filter((type) => type !== "null");
  if (types.length > 1) {
    yield [`a list of the types ${types.join(", ")}`, "oneOf with one type in each alternative"];
  }
  if (allows(value, "boolean") && ("const" in value || "enum" in value)) {
    yield ["a boolean with fixed values", "a boolean; the server refuses the other value"];
  }
  if (value["format"] === "binary") {
    for (const keyword of ["minLength", "maxLength", "pattern"].filter((each) => each in value)) {
      yield [`${keyword} of a file`, "the limit in the description"];
    }
  }
  for (const keyword of ["exclusiveMinimum", "exclusiveMaximum"]) {
    if (keyword in value) yield [keyword, keyword === "exclusiveMinimum" ? "minimum" : "maximum"];
  }
  if (value["additionalProperties"] === true) {
    yield ["additionalProperties: true", "no additionalProperties, which means the same"];
  }
  for (const reference of alternativesOf(value)) {
    const target = specification.target(file, reference);
    if (target !== undefined && isMap(target.value)) {
      yield [
        `a union with the map ${reference}`,
        "a map with at least one member in `properties`, which becomes a type of its own",
      ];
    }
  }
}

const allows = ({ type }: JsonObject, name: string): boolean =>
  type === name || (Array.isArray(type) && type.includes(name));

const alternativesOf = (schema: JsonObject): readonly string[] =>
  ["anyOf", "oneOf"].flatMap((keyword) =>
    listIn(schema, keyword).flatMap((alternative) => {
      const reference = isObject(alternative) ? alternative["$ref"] : undefined;
      return typeof reference === "string" ? [reference] : [];
    }),
  );

/** Whether the schema is an object without named members. */
const isMap = (schema: unknown): boolean =>
  isObject(schema) && isObject(schema["additionalProperties"]) && !("properties" in schema);
