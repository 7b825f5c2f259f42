import { where } from "@security-platform/fql";
import type { Writing } from "../../../records/write.ts";
import { modification, policies } from "./policies.ts";

/** Removes host groups from all policies that apply to them. */
export async function leaveHostGroups(writing: Writing, ids: readonly string[]): Promise<void> {
  const records = writing.records(policies.resource);
  const users = await records.stored.findForUpdate(where.anyOf("host_groups", ids), writing.now);
  await records.replace(
    users.map((policy) => ({
      ...policy,
      host_groups: policy.host_groups.filter((id) => !ids.includes(id)),
      ...modification(writing.author),
    })),
  );
}
