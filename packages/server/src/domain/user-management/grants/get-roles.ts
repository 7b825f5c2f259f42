import type { Answer } from "../../../calls/answer.ts";
import type { Call } from "../../../calls/call.ts";
import { platformRecords } from "../../../access/effective-grants.ts";
import { rolesById, findRoles } from "../../../access/tenant-roles.ts";
import { requestedCid } from "../tenants/managed-tenants.ts";

/** Roles by id, in the tenant of the query. */
export async function getRoles(
  call: Pick<Call<"entitiesRolesGETV2" | "entitiesRolesV1">, "caller" | "context" | "now"> & {
    readonly query: { readonly cid?: string | undefined };
  },
  role_ids: readonly string[],
): Promise<Answer> {
  const cid = await requestedCid(call, call.query.cid, "query.cid");
  const { store } = call.context;
  const query = { cid, role_ids };
  const roles = await findRoles(platformRecords(store), store.directory, query, call.now);
  return rolesById(roles, role_ids, (role) => role);
}
