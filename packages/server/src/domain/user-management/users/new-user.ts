import { newUuid } from "../../../foundation/identifiers.ts";
import { defined } from "../../../records/defined.ts";
import type { Tenant } from "../../../store/index.ts";
import { effectiveGrants } from "../../../access/effective-grants.ts";
import { tenantAccessOf } from "../tenants/tenant-access.ts";
import type { DirectGrant, StoredUser, User } from "../../../access/users.ts";

/** The members of a new user. */
export interface UserFacts {
  readonly uid: string;
  readonly first_name?: string | undefined;
  readonly last_name?: string | undefined;
  /** The result of `hashPassword`. Without it, the user is inactive. */
  readonly password?: string | undefined;
  /** Default: a new identifier. */
  readonly uuid?: string;
  readonly status?: User["status"];
  readonly factors?: readonly string[];
  readonly last_login_at?: string;
  readonly grants?: readonly DirectGrant[];
}

/** A user of the tenant who is in no group. `family`: the root of the tenant's tree. */
export function newUser(
  facts: UserFacts,
  { cid, name: cid_name }: Pick<Tenant, "cid" | "name">,
  family: string,
  now: Date,
): StoredUser {
  const created = now.toISOString();
  const { uid, uuid = newUuid(), password, first_name, last_name, grants = [] } = facts;
  const { status = password === undefined ? "inactive" : "active", factors = [] } = facts;
  const effective = effectiveGrants({ uuid, grants }, { userGroups: [], tenantGroups: [] }, now);
  return {
    uuid,
    uid,
    cid,
    ...defined({ first_name, last_name }),
    status,
    user_type: "internal",
    factors: [...factors],
    access_granted_at: created,
    ...defined({ last_login_at: facts.last_login_at }),
    created_at: created,
    updated_at: created,
    grants,
    ...defined({ password }),
    family,
    name: fullName(first_name, last_name),
    cid_name,
    ...tenantAccessOf(cid, effective),
  };
}

/** Names to change; an undefined name stays unchanged. */
export interface Names {
  readonly first_name?: string | undefined;
  readonly last_name?: string | undefined;
}

/** The user with changed names. */
export function renamed(
  user: StoredUser,
  { first_name = user.first_name, last_name = user.last_name }: Names,
  now: Date,
): StoredUser {
  const { uuid, uid, cid, first_name: _first, last_name: _last, ...rest } = user;
  return {
    uuid,
    uid,
    cid,
    ...defined({ first_name, last_name }),
    ...rest,
    updated_at: now.toISOString(),
    name: fullName(first_name, last_name),
  };
}

function fullName(first: string | undefined, last: string | undefined): string | null {
  const names = [first, last].filter((name) => name !== undefined);
  return names.length === 0 ? null : names.join(" ");
}
