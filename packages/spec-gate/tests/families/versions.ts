import type { Verdict } from "../../src/change.ts";
import { integer, object, pair, pairs, same, schemaPlaces, text } from "./pair.ts";

const newest = "3.2.0";
const versions = ["3.0.4", "3.1.1", newest];

// A document means the same in each version of OpenAPI.
for (const before of versions) {
  for (const after of versions) {
    if (before === after) continue;
    const between: readonly [string, string] = [before, after];
    for (const [name, schema] of [
      ["a text", { ...text, maxLength: 3 }],
      ["a list", { type: "array", items: integer, minItems: 1 }],
      ["an object", object({ a: text, b: integer }, { required: ["a"] })],
      ["a choice", { oneOf: [text, integer] }],
    ] as const) {
      same("versions", `${name}, ${before} to ${after}`, schema, schema, between);
    }
    for (const [place, at] of Object.entries(schemaPlaces)) {
      const breaks: Verdict = place.startsWith("response") ? "patch" : "major";
      const widens: Verdict = /^response|callback|webhook/.test(place) ? "major" : "minor";
      pair(
        "versions",
        `a limit, ${place}, ${before} to ${after}`,
        at(text, before),
        at({ ...text, maxLength: 3 }, after),
        breaks,
        widens,
      );
    }
  }
}
for (const after of ["3.1.0", newest]) {
  const between: readonly [string, string] = ["3.0.3", after];
  same(
    "versions",
    `nullable to null, ${after}`,
    { ...text, nullable: true },
    { type: ["string", "null"] },
    between,
  );
  same(
    "versions",
    `nullable left, ${after}`,
    { ...text, nullable: true },
    { ...text, nullable: true },
    between,
  );
  same(
    "versions",
    `exclusive limits, ${after}`,
    { type: "number", minimum: 0, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: true },
    { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 9 },
    between,
  );
  same(
    "versions",
    `one value, ${after}`,
    { ...text, enum: ["a"] },
    { ...text, const: "a" },
    between,
  );
  same(
    "versions",
    `an example, ${after}`,
    { ...text, example: "a" },
    { ...text, examples: ["a"] },
    between,
  );
}

export const versionPairs = pairs;
