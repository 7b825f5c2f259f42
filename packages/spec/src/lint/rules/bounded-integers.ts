import type { Rule } from "../rule.ts";
import { report, type JsonObject } from "../specification.ts";
import { schemas } from "../walk.ts";

export const boundedIntegers: Rule = {
  name: "bounded-integers",
  *check(specification) {
    for (const spot of schemas(specification)) {
      const { type } = spot.value;
      if (type !== "integer" && !(Array.isArray(type) && type.includes("integer"))) continue;
      if (!isBounded(spot.value)) {
        yield report(spot, "an unbounded integer", "enum, const, or minimum and maximum");
      }
    }
  },
};

const isBounded = ({ enum: values, const: value, minimum, maximum }: JsonObject) =>
  values !== undefined ||
  value !== undefined ||
  (typeof minimum === "number" && typeof maximum === "number");
