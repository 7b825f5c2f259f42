import type { Rule } from "../rule.ts";
import { report, type JsonObject } from "../specification.ts";
import { schemas } from "../walk.ts";

/** Formats that limit the length of a string. */
const formats = ["date", "date-time", "ipv4", "ipv6", "uuid"];

/** Files, whose length is not counted in characters. */
const file = "binary";

export const boundedStrings: Rule = {
  name: "bounded-strings",
  *check(specification) {
    for (const spot of schemas(specification)) {
      const { type } = spot.value;
      if (type !== "string" && !(Array.isArray(type) && type.includes("string"))) continue;
      if (!isBounded(spot.value)) {
        yield report(
          spot,
          "an unbounded string",
          "enum, const, maxLength, a bounded pattern or a bounded format",
        );
      }
    }
  },
};

const isBounded = ({ enum: values, const: value, maxLength, pattern, format }: JsonObject) =>
  values !== undefined ||
  value !== undefined ||
  typeof maxLength === "number" ||
  [...formats, file].includes(String(format)) ||
  (typeof pattern === "string" && isBoundedPattern(pattern));

/** Whether the pattern is anchored at both ends and has no unlimited repetition. */
const isBoundedPattern = (pattern: string): boolean =>
  pattern.startsWith("^") && pattern.endsWith("$") && !/(?<!\\)([*+]|\{\d+,\})/.test(pattern);
