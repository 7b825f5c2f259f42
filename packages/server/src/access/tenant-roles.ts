import { compareCodePoints } from "@security-platform/fql";
import { roleDefinition, roleDefinitions, type ActionName, type RoleDefinition } from "./roles.ts";
import { errors } from "../errors.ts";
import type { Answer } from "../answer.ts";
import type { Directory, Resource } from "../store/types.ts";
import type { PlatformReader } from "./effective-grants.ts";

/** How one is called in messages. */
export const roleNoun = "role";

/** A role that a tenant made, for itself and the tenants below. */
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
  /** Those of `ids` that the tenant does not have, in the order given. */
  readonly unknown: (ids: readonly string[]) => readonly string[];
}

const platformRoles = tenantRoles([]);

/** The platform's roles and those that the tenant and the ones above it made. */
export async function rolesIn(
  reader: PlatformReader,
  directory: Directory,
  cid: string,
  now: Date,
): Promise<TenantRoles> {
  const above = await directory.ancestors(cid);
  const cids = [cid, ...above.map((tenant) => tenant.cid)];
  const found: CustomRole[] = [];
  const own = { kind: "any-of", field: "cid", values: cids } as const;
  for await (const batch of reader.records(customRoles).scanWhole(own, now)) found.push(...batch);
  return found.length === 0 ? platformRoles : tenantRoles(found);
}

/** As `rolesIn`, for some roles only: those of the platform need no look-up. */
export const rolesNamed = async (
  reader: PlatformReader,
  directory: Directory,
  { cid, role_ids }: { readonly cid: string; readonly role_ids: readonly string[] },
  now: Date,
): Promise<TenantRoles> =>
  role_ids.every((id) => roleDefinition(id) !== undefined)
    ? platformRoles
    : rolesIn(reader, directory, cid, now);

function tenantRoles(custom: readonly CustomRole[]): TenantRoles {
  const made = new Map(custom.map((role) => [role.id, definitionOf(role)]));
  const definition = (id: string) => roleDefinition(id) ?? made.get(id);
  return {
    ids: [...roleDefinitions.map(({ role }) => role.id), ...made.keys()].toSorted(
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

/** Roles by id in the order asked, each once; 404 that names the missing ones and carries the others. */
export function rolesById(
  roles: TenantRoles,
  asked: readonly string[],
  view: (role: RoleDefinition["role"]) => object,
): Answer {
  const ids = [...new Set(asked)];
  const records = ids.flatMap((id) => {
    const definition = roles.definition(id);
    return definition === undefined ? [] : [JSON.stringify(view(definition.role))];
  });
  if (records.length === ids.length) return { kind: "records", records };
  throw errors.recordsNotFound(roleNoun, roles.unknown(ids), records);
}

/** What a role allows that these permissions do not; undefined: nothing. */
export const beyond = (
  { permissions, actions }: RoleDefinition,
  held: { readonly scopes: ReadonlySet<string>; readonly actions: ReadonlySet<ActionName> },
): string | undefined =>
  [...permissions].find((scope) => !held.scopes.has(scope)) ??
  [...actions].find((action) => !held.actions.has(action));
