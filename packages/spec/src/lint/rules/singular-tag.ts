import type { Rule } from "../rule.ts";
import { inside, isObject, listIn, report } from "../specification.ts";

/** An operation belongs to exactly one collection, which openapi.yaml describes. */
export const singularTag: Rule = {
  name: "singular-tag",
  *check(specification) {
    const declared = listIn(specification.root.value, "tags").map((tag) =>
      isObject(tag) ? tag["name"] : undefined,
    );
    for (const operation of specification.operations) {
      const tags = listIn(operation.value, "tags");
      const spot = inside(operation, "tags");
      if (tags.length !== 1) yield report(spot, `${tags.length} tags`, "one tag");
      for (const tag of tags.filter((each) => !declared.includes(each))) {
        yield report(spot, `tag ${String(tag)}`, "a tag that openapi.yaml describes");
      }
    }
  },
};
