import type { Rule } from "../rule.ts";
import { report } from "../specification.ts";
import { schemas } from "../walk.ts";

/**
 * An object with members needs a name, and therefore a file, because generators derive type names
 * from it.
 */
export const noInlineObject: Rule = {
  name: "no-inline-object",
  *check(specification) {
    for (const spot of schemas(specification)) {
      const isComponent = spot.file.kind === "schemas" && spot.pointer.length === 0;
      if (!isComponent && "properties" in spot.value) {
        yield report(spot, "an object schema without a name", "a reference to a schema file");
      }
    }
  },
};
