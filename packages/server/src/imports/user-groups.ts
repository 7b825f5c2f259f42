import { foldCase } from "@security-platform/fql";
import { userGroups, type UserGroup } from "../access/groups.ts";
import { rolesIn, type TenantRoles } from "../access/tenant-roles.ts";
import { users, type StoredUser } from "../access/users.ts";
import { viewerOf } from "../access/viewer.ts";
import type { Directory, Transaction } from "../store/index.ts";
import { defined } from "../records/defined.ts";
import { groupId } from "./group-id.ts";
import type { Importer, LineProblem, Reading, ReadLine } from "./kind.ts";

type Line = Pick<UserGroup, "name" | "description" | "role_ids"> & {
  readonly id?: string;
  /** The members, each by `uid` or `uuid`. */
  readonly users: readonly string[];
};

/** Imports user groups, one per line. Their members hold the roles at once. */
export const userGroupImporter: Importer<Line, UserGroup> = {
  resource: userGroups,
  shared: true,
  read: (line, { cid }) => {
    const { id = groupId(cid, userGroups.name, line.name), name, description, role_ids } = line;
    return {
      record: {
        id,
        cid,
        name,
        ...defined({ description }),
        user_uuids: [...new Set(line.users)],
        role_ids,
      },
    };
  },
  begin: (cid, directory) => ({
    complete: (transaction, records, now) =>
      withMembers(transaction, directory, { cid, now }, records),
  }),
};

export const roleProblems = (
  roles: TenantRoles,
  roleIds: readonly string[],
  at: string,
): readonly LineProblem[] =>
  roles.unknown(roleIds).map((id) => ({ at, message: `there is no role ${id}` }));

/** Resolves the users that the lines name to their uuids. */
async function withMembers(
  transaction: Transaction,
  directory: Directory,
  { cid, now }: Reading,
  groups: readonly UserGroup[],
): Promise<readonly ReadLine<UserGroup>[]> {
  const roles = await rolesIn(transaction, directory, cid, now);
  const { family } = await viewerOf(directory, cid);
  const userOf = await readUsers(
    transaction,
    groups.flatMap(({ user_uuids }) => user_uuids),
  );
  return groups.map((record) => {
    const problems = [...roleProblems(roles, record.role_ids, "role_ids")];
    const uuids = record.user_uuids.flatMap((name, index) => {
      const user = userOf(name);
      const isKnown = user?.family === family || user?.associated_cids.includes(cid) === true;
      if (user !== undefined && isKnown) return [user.uuid];
      const message = `the tenant has no user ${JSON.stringify(name)}`;
      problems.push({ at: `users[${index}]`, message });
      return [];
    });
    if (problems.length > 0) return { problems };
    return { record: { ...record, user_uuids: [...new Set(uuids)] } };
  });
}

/** Looks up users by `uid`, in any case, or by `uuid`. */
async function readUsers(
  transaction: Transaction,
  names: readonly string[],
): Promise<(name: string) => StoredUser | undefined> {
  const records = transaction.records(users);
  const distinct = [...new Set(names)];
  const uids = await records.findDuplicates(distinct.map(foldCase));
  const byUuid = await records.getForUpdate([...new Set([...distinct, ...uids.values()])]);
  return (name) => byUuid.get(uids.get(foldCase(name)) ?? name);
}
