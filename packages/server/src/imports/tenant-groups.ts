import { where } from "@security-platform/fql";
import {
  storedTenantGroup,
  tenantGroups,
  userGroups,
  type StoredTenantGroup,
  type UserGroup,
} from "../access/groups.ts";
import { rolesIn, type TenantRoles } from "../access/tenant-roles.ts";
import type { Transaction } from "../store/index.ts";
import { defined } from "../records/defined.ts";
import { groupId } from "./group-id.ts";
import type { Importer, LineProblem, ReadLine } from "./kind.ts";
import { roleProblems } from "./user-groups.ts";

interface Line {
  readonly id?: string;
  readonly name: string;
  readonly description?: string;
  readonly cids: readonly string[];
  /** A user group by id or name. */
  readonly grants: readonly { readonly user_group: string; readonly role_ids: readonly string[] }[];
}

/** Imports tenant groups, one per line. Members of their user groups hold the roles in all tenants at once. */
export const tenantGroupImporter: Importer<Line, StoredTenantGroup> = {
  resource: tenantGroups,
  shared: true,
  read: (line, { cid }) => {
    const { id = groupId(cid, tenantGroups.name, line.name), name, description } = line;
    return {
      record: storedTenantGroup({
        id,
        cid,
        name,
        ...defined({ description }),
        cids: [...new Set(line.cids)],
        grants: line.grants.map(({ user_group, role_ids }) => ({
          user_group_id: user_group,
          role_ids,
        })),
      }),
    };
  },
  begin: (cid, directory) => ({
    complete: async (transaction, records, now) => {
      const descendants = await directory.descendants(cid);
      const below = new Set(descendants.map((tenant) => tenant.cid));
      const groups = await userGroupsOf(transaction, cid, now);
      const roles = await rolesIn(transaction, directory, cid, now);
      return records.map((record) => withGroups(record, below, groups, roles));
    },
  }),
};

const userGroupsOf = (
  transaction: Transaction,
  cid: string,
  now: Date,
): Promise<readonly UserGroup[]> =>
  transaction.records(userGroups).findForUpdate(where.equal("cid", cid), now);

function withGroups(
  record: StoredTenantGroup,
  below: ReadonlySet<string>,
  groups: readonly UserGroup[],
  roles: TenantRoles,
): ReadLine<StoredTenantGroup> {
  const problems: LineProblem[] = record.cids.flatMap((cid, index) =>
    below.has(cid) ? [] : [{ at: `cids[${index}]`, message: `${cid} is not below the tenant` }],
  );
  const grants = record.grants.flatMap((grant, index) => {
    const { user_group_id: idOrName } = grant;
    const byId = groups.filter(({ id }) => id === idOrName);
    const [group, ...others] =
      byId.length > 0 ? byId : groups.filter(({ name }) => name === idOrName);
    problems.push(...roleProblems(roles, grant.role_ids, `grants[${index}].role_ids`));
    const at = `grants[${index}].user_group`;
    if (group === undefined) {
      problems.push({ at, message: `the tenant has no user group ${JSON.stringify(idOrName)}` });
      return [];
    }
    if (others.length > 0) {
      problems.push({ at, message: `several user groups have this name; use an id` });
    }
    return [{ ...grant, user_group_id: group.id }];
  });
  return problems.length > 0 ? { problems } : { record: storedTenantGroup({ ...record, grants }) };
}
