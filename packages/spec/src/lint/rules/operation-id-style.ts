import type { Rule } from "../rule.ts";
import { inside, report } from "../specification.ts";

const dotted = /^[a-z_]+([.-][a-z_]+)*([.-]v[1-9])?$/;
const camel = /^[a-z]+(?:[A-Z][A-Za-z0-9]*)?$/;
const either = /^[A-Za-z]+(V[1-9])?$/;

/** The form of a collection's operation ids. */
const styles: Readonly<Record<string, RegExp>> = {
  "case-management": dotted,
  companion: /^[A-Za-z]+(_?V[1-9])?$/,
  container: /^[A-Z][A-Za-z]*$/,
  "data-protection": dotted,
  downloads: /^([A-Z][a-z]+)+(V[1-9])?$/,
  "identity-protection": /^([a-z]+(_[a-z]+)+|([A-Z][a-z]+)+)$/,
  ioc: /^[a-z_]+(\.[a-z_-]+)+\.v[1-9]$/,
  "ioa-exclusions": /^([a-z]+(IOA)[A-Za-z]+V[1-9]|ss-ioa-exclusions\.[a-z-]+\.v[1-9])$/,
  oauth2: /^oauth2([A-Z][a-z]+)+$/,
  "prevention-policy": camel,
  "user-management": either,
};

/**
 * The operation ids come from the specification, so this rule finds typing errors. Ids are unique in any
 * style.
 */
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
        yield report(spot, `collection ${collection}`, "a collection with a known style");
      } else if (!style.test(id)) {
        yield report(spot, id, `an id in the style of ${collection}, ${style.source}`);
      }
      const owner = owners.get(id);
      if (owner !== undefined) yield report(spot, `${id}, the id of ${owner}`, "a unique id");
      owners.set(id, operation.url);
    }
  },
};
