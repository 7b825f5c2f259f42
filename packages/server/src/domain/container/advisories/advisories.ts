import type { Resource } from "../../../store/index.ts";
import type { OsvRecord } from "./osv.ts";
import { packageKey } from "./packages.ts";

/** An advisory as stored, with the keys of its packages for look-ups. */
export interface Advisory extends OsvRecord {
  /** Hidden; see `packageKey`. */
  readonly packages: readonly string[];
}

/** Known vulnerabilities. The platform stores them, once for all tenants; imports create them. */
export const advisories: Resource<Advisory> = {
  name: "advisories",
  collection: "container",
  fields: {
    packages: { type: "string", array: true },
    modified: { type: "timestamp", sortable: true },
  },
  id: "id",
  hidden: ["packages"],
  visibility: { sources: ["platform"] },
  indexes: [],
};

export function advisoryOf(record: OsvRecord): Advisory {
  const keys = (record.affected ?? []).flatMap(({ package: named }) =>
    named === undefined ? [] : [packageKey(named.ecosystem, named.name)],
  );
  return { ...record, packages: [...new Set(keys)] };
}
