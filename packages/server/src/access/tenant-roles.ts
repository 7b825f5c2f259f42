import { compareCodePoints, where } from "@security-platform/fql";
import { roleDefinition, roleDefinitions, type ActionName, type RoleDefinition } from "./roles.ts";
import { errors } from "../foundation/errors.ts";
import type { Answer } from "../calls/answer.ts";
import type { Directory, Resource } from "../store/index.ts";
import type { PlatformReader } from "./effective-grants.ts";

/** The word for a role in messages. */
export const roleNoun = "role";

/** A role that a tenant has defined for itself and its descendants. */
export interface CustomRole {
  /** 32 lower-case hex digits. No platform role has such an id. */
  readonly id: string;
  readonly cid: string;
  readonly display_name: string;
  readonly description: string;
  /** The scopes of the role, as the document names them. */
  readonly scopes: readonly string[];
  readonly actions: readonly ActionName[];
}

/** Stored with the platform, because users of descendant tenants also hold them. Only imports write them. */
export const customRoles: Resource<CustomRole> = {
  name: "custom_roles",
  collection: "user_management",
  fields: { cid: { type: "string" } },
  id: "id",
  indexes: [],
};

/** The roles that can be held in a tenant. */
export interface TenantRoles {
  /** The ids in text order. */
  readonly ids: readonly string[];
  readonly definition: (id: string) => RoleDefinition | undefined;
  /** The ids that the tenant does not have, in the order of `ids`. */
  readonly unknown: (ids: readonly string[]) => readonly string[];
}

const platformRoles = tenantRoles([]);

export const isPlatformRole = (id: string): boolean => roleDefinition(id) !== undefined;

/** The platform's roles, and the custom roles of the tenant and its ancestors. */
export async function rolesIn(
  reader: PlatformReader,
  directory: Directory,
  cid: string,
  now: Date,
): Promise<TenantRoles> {
  const above = await directory.ancestors(cid);
  const cids = [cid, ...above.map((tenant) => tenant.cid)];
  const custom: CustomRole[] = [];
  const inTree = where.anyOf("cid", cids);
  for await (const batch of reader.records(customRoles).scanComplete(inTree, now)) {
    custom.push(...batch);
  }
  return custom.length === 0 ? platformRoles : tenantRoles(custom);
}

/** Like `rolesIn`, but without a look-up if all of `role_ids` are platform roles. */
export const findRoles = async (
  reader: PlatformReader,
  directory: Directory,
  { cid, role_ids }: { readonly cid: string; readonly role_ids: readonly string[] },
  now: Date,
): Promise<TenantRoles> =>
  role_ids.every(isPlatformRole) ? platformRoles : rolesIn(reader, directory, cid, now);

function tenantRoles(custom: readonly CustomRole[]): TenantRoles {
  const definitions = new Map(custom.map((role) => [role.id, definitionOf(role)]));
  const definition = (id: string) => roleDefinition(id) ?? definitions.get(id);
  return {
    ids: [...roleDefinitions.map(({ role }) => role.id), ...definitions.keys()].toSorted(
      compareCodePoints,
    ),
    definition,
    unknown: (ids) => ids.filter((id) => definition(id) === undefined),
  };
}

const definitionOf = ({
  id,
  cid,
  display_name,
  description,
  scopes,
  actions,
}: CustomRole): RoleDefinition => ({
  role: { id, display_name, description, is_global: false, type: "custom", cid },
  permissions: new Set(scopes),
  actions: new Set(actions),
});

/**
 * Roles by id in the requested order, each once. Throws a 404 that names the missing ones and includes the
 * others.
 */
export function rolesById(
  roles: TenantRoles,
  requestedIds: readonly string[],
  view: (role: RoleDefinition["role"]) => object,
): Answer {
  const ids = [...new Set(requestedIds)];
  const records = ids.flatMap((id) => {
    const definition = roles.definition(id);
    return definition === undefined ? [] : [JSON.stringify(view(definition.role))];
  });
  if (records.length === ids.length) return { kind: "records", records };
  throw errors.recordsNotFound(roleNoun, roles.unknown(ids), records);
}

/** A permission of the role that is not held. Undefined if all are held. */
export const permissionNotHeld = (
  { permissions, actions }: RoleDefinition,
  held: { readonly scopes: ReadonlySet<string>; readonly actions: ReadonlySet<ActionName> },
): string | undefined =>
  [...permissions].find((scope) => !held.scopes.has(scope)) ??
  [...actions].find((action) => !held.actions.has(action));
