import type { Rule } from "../rule.ts";
import { inside, isObject, report } from "../specification.ts";

/** Numbers of a query are refused out of range, so the range must be there. */
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
        if (minimum === undefined) yield report(spot, "a number without a least value", "minimum");
        if (maximum === undefined)
          yield report(spot, "a number without a largest value", "maximum");
      }
    }
  },
};
