import type { Rule } from "../rule.ts";
import { report } from "../specification.ts";
import { schemas } from "../walk.ts";

/** An object with members has a name, and so a file: generators make types of names. */
export const noInlineObject: Rule = {
  name: "no-inline-object",
  *check(specification) {
    for (const spot of schemas(specification)) {
      const named = spot.file.kind === "schemas" && spot.pointer.length === 0;
      if (!named && "properties" in spot.value) {
        yield report(spot, "an object schema without a name", "a reference to a schema file");
      }
    }
  },
};
