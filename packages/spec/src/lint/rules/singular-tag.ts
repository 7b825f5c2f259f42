import type { Rule } from "../rule.ts";
import { inside, isObject, listIn, report } from "../specification.ts";

/** An operation belongs to exactly one collection, which its document describes. */
export const singularTag: Rule = {
  name: "singular-tag",
  *check(specification) {
    for (const operation of specification.operations) {
      const declared = listIn(operation.root.value, "tags").map((tag) =>
        isObject(tag) ? tag["name"] : undefined,
      );
      const tags = listIn(operation.value, "tags");
      const spot = inside(operation, "tags");
      if (tags.length !== 1) yield report(spot, `${tags.length} tags`, "one tag");
      for (const tag of tags.filter((each) => !declared.includes(each))) {
        yield report(spot, `tag ${String(tag)}`, `a tag that ${operation.root.path} describes`);
      }
    }
  },
};
