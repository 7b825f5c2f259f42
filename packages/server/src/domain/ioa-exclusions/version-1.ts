import type { components } from "@security-platform/spec";
import { errors } from "../../foundation/errors.ts";
import { hostGroups } from "../../inventory/host-groups.ts";
import type { Context } from "../../calls/context.ts";
import { hasAncestorExpressions, type Exclusion } from "./exclusions.ts";

type Schemas = components["schemas"];
type ExclusionV1 = Schemas["IoaExclusion"];
type ServedGroup = Schemas["HostGroup"];

/** The exclusions in version 1: without the members that it lacks, and with complete host groups. */
export async function inVersion1(
  { store }: Pick<Context, "store">,
  { cid, now }: { readonly cid: string; readonly now: Date },
  stored: readonly Exclusion[],
): Promise<readonly ExclusionV1[]> {
  const ids = [...new Set(stored.flatMap(({ host_groups }) => host_groups))];
  const texts: ReadonlyMap<string, string> =
    ids.length === 0 ? new Map() : await store.records(hostGroups, { cid }).get(ids, now);
  return stored.map((exclusion) => ({
    id: exclusion.id,
    name: exclusion.name,
    description: exclusion.description ?? "",
    pattern_id: exclusion.pattern_id,
    pattern_name: exclusion.pattern_name ?? "",
    ifn_regex: exclusion.ifn_regex,
    cl_regex: exclusion.cl_regex,
    detection_json: exclusion.detection_json ?? "",
    // A deleted group is left out, because version 1 lists complete groups.
    groups: exclusion.host_groups.flatMap((id) => {
      const text = texts.get(id);
      return text === undefined ? [] : [JSON.parse(text) as ServedGroup];
    }),
    applied_globally: exclusion.applied_globally,
    created_on: exclusion.created_on,
    created_by: exclusion.created_by,
    last_modified: exclusion.last_modified,
    modified_by: exclusion.modified_by,
  }));
}

/** Throws a 403 for exclusions that version 1 cannot show completely. */
export function refuseAncestors(stored: readonly Exclusion[]): void {
  const unsupported = stored.filter(hasAncestorExpressions);
  if (unsupported.length === 0) return;
  throw errors.readOnly(
    unsupported.map(({ id }) => ({
      at: "",
      id,
      message: `IOA exclusion ${id} has expressions for ancestor processes, which version 1 does not support; use version 2, /exclusions/entities/ss-ioa-exclusions/v2`,
    })),
  );
}

/** Renames `groups` of version 1 to `host_groups`. All other members have the same names in both versions. */
export const fromVersion1 = <Members extends object>(
  members: Members,
  groups: readonly string[] | undefined,
): Members & { readonly host_groups?: readonly string[] } =>
  groups === undefined ? members : { ...members, host_groups: groups };
