import type { Rule } from "../rule.ts";
import {
  inside,
  isObject,
  objectIn,
  report,
  type Specification,
  type Spot,
} from "../specification.ts";
import { schemas } from "../walk.ts";

/** `x-aliases` maps an accepted spelling to a documented member, dotted for nested members. */
export const aliasesLeadSomewhere: Rule = {
  name: "aliases-lead-somewhere",
  *check(specification) {
    for (const spot of schemas(specification)) {
      for (const [alias, target] of Object.entries(objectIn(spot.value, "x-aliases"))) {
        const at = inside(spot, "x-aliases", alias);
        if (alias in objectIn(spot.value, "properties")) {
          yield report(at, `alias ${alias} of a member's name`, "another spelling");
        }
        if (!leadsSomewhere(specification, spot, String(target).split("."))) {
          yield report(at, `alias to ${String(target)}`, "a member of the schema");
        }
      }
    }
  },
};

function leadsSomewhere(
  specification: Specification,
  spot: Spot,
  [name, ...rest]: readonly string[],
): boolean {
  if (name === undefined) return true;
  const member = inside(specification.resolve(spot), "properties", name);
  return isObject(member.value) && leadsSomewhere(specification, member, rest);
}
