import type { Rule } from "../rule.ts";
import { inside, objectIn, report, type Spot } from "../specification.ts";
import { reachableSchemas } from "../walk.ts";

/**
 * Unknown members of a request are rejected, except in objects whose other members have a schema. Responses remain
 * open, because records may get new members.
 */
export const closedRequests: Rule = {
  name: "closed-requests",
  *check(specification) {
    const seen = new Set<unknown>();
    for (const operation of specification.operations) {
      const body = specification.resolve(inside(operation, "requestBody"));
      for (const type of Object.keys(objectIn(body.value, "content"))) {
        const start: Spot = inside(body, "content", type, "schema");
        for (const spot of reachableSchemas(specification, start, seen)) {
          const { additionalProperties: others = true } = spot.value;
          if ("properties" in spot.value && others === true) {
            yield report(spot, "an object that allows any member", "additionalProperties: false");
          }
        }
      }
    }
  },
};
