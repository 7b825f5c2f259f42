import type { Rule } from "../rule.ts";
import { inside, report } from "../specification.ts";

const dotted = /^[a-z_]+([.-][a-z_]+)*([.-]v[1-9])?$/;
const camel = /^[a-z]+([A-Z]+[a-z0-9]*)*(V[1-9])?$/;
const either = /^[A-Za-z]+(V[1-9])?$/;

/** How the operation ids of a collection are written. */
const styles: Readonly<Record<string, RegExp>> = {
  "case-management": dotted,
  container: /^([A-Z]+[a-z]*)+$/,
  "data-protection": dotted,
  downloads: /^([A-Z][a-z]+)+(V[1-9])?$/,
  "identity-protection": /^([a-z]+(_[a-z]+)+|([A-Z][a-z]+)+)$/,
  ioc: /^[a-z_]+(\.[a-z_-]+)+\.v[1-9]$/,
  "ioa-exclusions": /^([a-z]+(IOA)[A-Za-z]+V[1-9]|ss-ioa-exclusions\.[a-z-]+\.v[1-9])$/,
  oauth2: /^oauth2([A-Z][a-z]+)+$/,
  "prevention-policy": camel,
  "user-management": either,
};

/** Operation ids are given; this finds slips of the pen. They are unique, whatever their style. */
export const operationIdStyle: Rule = {
  name: "operation-id-style",
  *check(specification) {
    const owners = new Map<string, string>();
    for (const operation of specification.operations) {
      const spot = inside(operation, "operationId");
      const { id } = operation;
      const { collection } = operation.file;
      const style = styles[collection];
      if (style === undefined) {
        yield report(spot, `collection ${collection}`, "a collection whose style is known");
      } else if (!style.test(id)) {
        yield report(spot, id, `an id like those of ${collection}, ${style.source}`);
      }
      const owner = owners.get(id);
      if (owner !== undefined) yield report(spot, `${id}, which ${owner} has`, "an id of its own");
      owners.set(id, operation.url);
    }
  },
};
