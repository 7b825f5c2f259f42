import type { Rule } from "../rule.ts";
import { inside, report } from "../specification.ts";

/** `x-paging` tells clients how to page. It must match the parameters. */
export const declaredPaging: Rule = {
  name: "declared-paging",
  *check(specification) {
    for (const operation of specification.operations) {
      const parameters = specification
        .parameters(operation)
        .map(({ value }) => value)
        .filter((value) => value["in"] === "query");
      const has = (name: string): boolean => parameters.some((value) => value["name"] === name);
      const cursors = parameters.filter((value) => value["x-cursor"] === true);
      const paging = operation.value["x-paging"];
      const expected =
        has("after") || cursors.length > 0 ? "after" : has("offset") ? "offset" : undefined;
      if (paging !== expected) {
        yield report(
          inside(operation, "x-paging"),
          `x-paging ${String(paging ?? "missing")}`,
          expected === undefined ? "none without offset and cursor" : `x-paging ${expected}`,
        );
      }
      if (expected !== undefined && !has("limit")) {
        yield report(inside(operation, "parameters"), "pages without limit", "a parameter limit");
      }
    }
  },
};
