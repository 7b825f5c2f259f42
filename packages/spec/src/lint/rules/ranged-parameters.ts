import type { Rule } from "../rule.ts";
import { inside, isObject, report } from "../specification.ts";

/** Numbers of a query outside their range are rejected, so the range must be documented. */
export const rangedParameters: Rule = {
  name: "ranged-parameters",
  *check(specification) {
    const seen = new Set<unknown>();
    for (const operation of specification.operations) {
      for (const parameter of specification.parameters(operation)) {
        if (seen.has(parameter.value)) continue;
        seen.add(parameter.value);
        const spot = inside(parameter, "schema");
        const { type, minimum, maximum } = isObject(spot.value) ? spot.value : {};
        if (type !== "integer" && type !== "number") continue;
        if (minimum === undefined) yield report(spot, "a number without a minimum", "minimum");
        if (maximum === undefined) yield report(spot, "a number without a maximum", "maximum");
      }
    }
  },
};
