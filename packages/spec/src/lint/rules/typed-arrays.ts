import type { Rule } from "../rule.ts";
import { isObject, report } from "../specification.ts";
import { schemas } from "../walk.ts";

export const typedArrays: Rule = {
  name: "typed-arrays",
  *check(specification) {
    for (const spot of schemas(specification)) {
      const { type, items, maxItems } = spot.value;
      if (type !== "array" && !(Array.isArray(type) && type.includes("array"))) continue;
      const typed =
        isObject(items) && ["type", "$ref", "oneOf", "anyOf", "enum"].some((key) => key in items);
      if (!typed) yield report(spot, "a list without an item type", "items with a type");
      if (typeof maxItems !== "number") yield report(spot, "a list without maxItems", "maxItems");
    }
  },
};
