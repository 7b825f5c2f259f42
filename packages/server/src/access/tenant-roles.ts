import { compareCodePoints, where } from "@security-platform/fql";
import { roleDefinition, roleDefinitions, type ActionName, type RoleDefinition } from "./roles.ts";
import { errors } from "../errors.ts";
import type { Answer } from "../answer.ts";
import type { Directory, Resource } from "../store/types.ts";
import type { PlatformReader } from "./effective-grants.ts";

/** The word for one in messages. */
export const roleNoun = "role";

/** A role that a tenant defined, for itself and the tenants below. */
export interface CustomRole {
  /** 32 lower-case hex digits, which no role of the platform has. */
  readonly id: string;
  readonly cid: string;
  readonly display_name: string;
  readonly description: string;
  /** Scopes of the document. */
  readonly scopes: readonly string[];
  readonly actions: readonly ActionName[];
}

/** Stored with the platform, as tenants below hold them, too. Written by imports only. */
export const customRoles: Resource<CustomRole> = {
  name: "custom_roles",
  collection: "user_management",
  fields: { cid: { type: "string" } },
  id: "id",
  indexes: [],
};

/** The roles that can be held in a tenant. */
export interface TenantRoles {
  /** In text order. */
  readonly ids: readonly string[];
  readonly definition: (id: string) => RoleDefinition | undefined;
  /** The `ids` that the tenant does not have, in their order. */
  readonly unknown: (ids: readonly string[]) => readonly string[];
}

const platformRoles = tenantRoles([]);

export const isPlatformRole = (id: string): boolean => roleDefinition(id) !== undefined;

/** The platform's roles, and the custom ones of the tenant and of those above it. */
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

/** As `rolesIn`, but without a look-up when all of `role_ids` are the platform's. */
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

/** Roles by id in the requested order, each once; 404 that names the missing ones and carries the others. */
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

/** A permission of the role that is not among those held; undefined when all are. */
export const permissionNotHeld = (
  { permissions, actions }: RoleDefinition,
  held: { readonly scopes: ReadonlySet<string>; readonly actions: ReadonlySet<ActionName> },
): string | undefined =>
  [...permissions].find((scope) => !held.scopes.has(scope)) ??
  [...actions].find((action) => !held.actions.has(action));
