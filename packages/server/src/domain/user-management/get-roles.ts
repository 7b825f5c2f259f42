import type { Answer } from "../../answer.ts";
import type { Call } from "../../call.ts";
import { platformRecords } from "../../access/effective-grants.ts";
import { rolesById, rolesNamed } from "../../access/tenant-roles.ts";
import { requestedCid } from "./viewer.ts";

/** Roles of the tenant that the query names, by id. */
export async function getRoles(
  call: Pick<Call<"entitiesRolesGETV2" | "entitiesRolesV1">, "caller" | "context" | "now"> & {
    readonly query: { readonly cid?: string | undefined };
  },
  role_ids: readonly string[],
): Promise<Answer> {
  const cid = await requestedCid(call, call.query.cid, "query.cid");
  const { store } = call.context;
  const named = { cid, role_ids };
  const roles = await rolesNamed(platformRecords(store), store.directory, named, call.now);
  return rolesById(roles, role_ids, (role) => role);
}
