import type { Rule } from "../rule.ts";
import { inside, report } from "../specification.ts";

/** A deprecated operation must name its replacement, or state that there is none. */
export const deprecationNamesSuccessor: Rule = {
  name: "deprecation-names-successor",
  *check(specification) {
    const operations = specification.operations;
    for (const operation of operations) {
      const { deprecated } = operation.value;
      const successor = operation.value["x-replaced-by"];
      const spot = inside(operation, "x-replaced-by");
      if (deprecated !== true) {
        if (successor !== undefined) {
          yield report(spot, "x-replaced-by without deprecated", "deprecated: true, or neither");
        }
      } else if (successor === undefined) {
        yield report(
          inside(operation, "deprecated"),
          "no x-replaced-by",
          "x-replaced-by, an operation id, or null for none",
        );
      } else if (successor !== null) {
        const replacement = operations.find(({ id }) => id === successor);
        if (replacement === undefined || replacement.value["deprecated"] === true) {
          yield report(spot, String(successor), "an existing operation that is not deprecated");
        }
      }
    }
  },
};
