import type { Rule } from "../rule.ts";
import { isObject, report } from "../specification.ts";

const members = ["get", "head", "post", "put", "patch", "delete"];

/** A Path Item file contains only its operations, inline. */
export const inlineOperations: Rule = {
  name: "inline-operations",
  *check(specification) {
    for (const file of specification.ofKind("paths")) {
      const item = isObject(file.value) ? file.value : {};
      for (const [key, value] of Object.entries(item)) {
        const spot = { file, pointer: [key] };
        if (!members.includes(key)) yield report(spot, key, `one of ${members.join(", ")}`);
        else if (isObject(value) && "$ref" in value) {
          yield report(spot, "a reference to an operation", "the operation, inline");
        }
      }
    }
  },
};
