import { where, type Predicate } from "@security-platform/fql";
import type { Answer } from "../../calls/answer.ts";
import type { Call } from "../../calls/call.ts";
import { errors } from "../../foundation/errors.ts";
import { hostGroupFields, hostGroupNoun, hostGroups } from "../../inventory/host-groups.ts";
import { hostList } from "../../inventory/hosts.ts";
import { listRecords, scrollIds } from "../../records/list.ts";
import type { PageQuery } from "../../store/index.ts";

type MembersCall = Call<"queryCombinedGroupMembers" | "queryGroupMembers">;

/** A page of host groups or of their ids. */
export const listHostGroups = (
  call: Call<"queryCombinedHostGroups" | "queryHostGroups">,
  shape: PageQuery["shape"],
): Promise<Answer> =>
  listRecords(call, { resource: hostGroups, shape, records: "own", fields: hostGroupFields });

/** A page of the ids of the tenant's hosts. */
export const listHostIds = (call: Call<"QueryDevicesByFilter">): Promise<Answer> =>
  listHosts(call, "ids", where.everything);

/** A page of the ids of the tenant's hosts, by cursor. */
export const scrollHostIds = (call: Call<"QueryDevicesByFilterScroll">): Promise<Answer> =>
  scrollIds(call, hostList);

/** A page of the hosts of a group; without `id`, of all groups. */
export async function listGroupMembers(
  call: MembersCall,
  shape: PageQuery["shape"],
): Promise<Answer> {
  const { id } = call.query;
  return listHosts(call, shape, id === undefined ? inAnyGroup : await membersOf(call, id));
}

const inAnyGroup = where.present("groups");

/** 404 for an unknown group. */
async function membersOf({ caller, context, now }: MembersCall, id: string): Promise<Predicate> {
  const groups = await context.store.records(hostGroups, { cid: caller.cid }).get([id], now);
  if (!groups.has(id)) throw errors.recordsNotFound(hostGroupNoun, [id]);
  return where.equal("groups", id);
}

const listHosts = (
  call: Call<"QueryDevicesByFilter"> | MembersCall,
  shape: PageQuery["shape"],
  condition: Predicate,
): Promise<Answer> => listRecords(call, { ...hostList, shape, where: condition });
