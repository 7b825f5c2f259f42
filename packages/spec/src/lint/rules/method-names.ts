import type { Rule } from "../rule.ts";
import { inside, report } from "../specification.ts";

const camelCase = /^[a-z][a-zA-Z0-9]*$/;
const form = "a name in camel case, such as listIndicators";

/**
 * `x-method-name` is the readable name of an operation, for clients and the command line. It is unique in its
 * collection.
 */
export const methodNames: Rule = {
  name: "method-names",
  *check(specification) {
    const owners = new Map<string, string>();
    for (const operation of specification.operations) {
      const name = operation.value["x-method-name"];
      const spot = inside(operation, "x-method-name");
      if (typeof name !== "string" || !camelCase.test(name)) {
        yield report(spot, `x-method-name ${String(name ?? "missing")}`, form);
        continue;
      }
      const key = `${operation.file.collection}.${name}`;
      const owner = owners.get(key);
      if (owner !== undefined) {
        yield report(
          spot,
          `${name}, the name of ${owner}`,
          "a name that is unique in its collection",
        );
      }
      owners.set(key, operation.id);
    }
  },
};
