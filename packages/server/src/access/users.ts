import { foldCase, where, type Fields } from "@security-platform/fql";
import { fqlTables, type components } from "@security-platform/spec";
import type { ReaderField, Resource, Visibility } from "../store/index.ts";
import type { PasswordToken } from "./password-tokens.ts";
import { typeOf, type Viewer } from "./viewer.ts";

type Schemas = components["schemas"];
export type User = Schemas["User"];

/** The word for a user in messages. */
export const userNoun = "user";

/** A role granted to a user directly, not through a group. */
export interface DirectGrant {
  /** The tenant in which the role is held. */
  readonly cid: string;
  readonly role_id: string;
  /** RFC 3339. */
  readonly granted_at: string;
  /** RFC 3339. The grant does not exist from this instant on. Absent: it does not expire. */
  readonly expires_at?: string;
}

/** Data derived from a user's grants, both direct ones and those through groups. */
export interface TenantAccess {
  /** Tenants in which the user has a role. All lists of tenants are in text order. */
  readonly assigned_cids: readonly string[];
  readonly direct_assigned_cids: readonly string[];
  /** The tenants that know the user: the home tenant and `assigned_cids`. */
  readonly associated_cids: readonly string[];
  readonly temporarily_assigned_cids: readonly string[];
  /** The sort value of `temporarily_assigned_cids`. */
  readonly first_temporary_cid?: string;
  readonly has_temporary_roles: boolean;
  /** Tenants in which the user is an administrator. */
  readonly administered_cids: readonly string[];
  /** The tenants of `administered_cids` in which the administrator role does not expire. */
  readonly lastingly_administered_cids: readonly string[];
  /** The end of the first grant that ends. The derived data is valid until then. */
  readonly next_expiry?: string;
}

/** The stored user: the served user as its home tenant sees it, and members that are never served. */
export interface StoredUser extends User, TenantAccess {
  readonly grants: readonly DirectGrant[];
  /** A result of `hashPassword`. Absent: the user has no password and cannot sign in with one. */
  readonly password?: string;
  /** A one-time token with which the user can set a password. */
  readonly password_token?: PasswordToken;
  /** Cid of the root of the home tenant's tree. Users are internal within one tree. */
  readonly family: string;
  /** First and last name. Null if there is neither. */
  readonly name: string | null;
  readonly cid_name: string;
  /** Increases whenever a grant or group of the user may have changed, so that permissions can be cached. */
  readonly revision?: number;
}

/** The fields by which tenants filter, sort and aggregate users. */
export const userFields = fqlTables.users.fields;
/** The fields of lists without external users. */
export const internalUserFields = fqlTables["internal-users"].fields;

const {
  // These two fields are not stored.
  user_type,
  non_ancestor_assigned_cids,
  ...storedFields
} = userFields;

const fields: Fields = {
  ...storedFields,
  temporarily_assigned_cids: { type: "string", array: true },
  first_temporary_cid: { type: "string", sortable: true },
  administered_cids: { type: "string", array: true },
  lastingly_administered_cids: { type: "string", array: true },
  family: { type: "string" },
  next_expiry: { type: "timestamp", sortable: true },
};

const {
  assigned_cids,
  associated_cids,
  direct_assigned_cids,
  temporarily_assigned_cids,
  has_temporary_roles,
} = storedFields;

/**
 * What a tenant sees: users who have a role in it. Of a user's tenants, it sees only those in its own tree.
 */
const visibility: Visibility<StoredUser, Viewer> = {
  sources: ["platform"],
  audience: "associated_cids",
  fields: {
    user_type,
    has_temporary_roles,
    assigned_cids,
    associated_cids,
    direct_assigned_cids,
    non_ancestor_assigned_cids,
    temporarily_assigned_cids,
  },
  fieldFor: async (name, viewer): Promise<ReaderField> => {
    if (name === "user_type") {
      const when = where.equal("family", viewer.family);
      return { kind: "choice", when, value: "internal", otherwise: "external" };
    }
    const tenants = [...(await viewer.tenants())];
    switch (name) {
      case "has_temporary_roles": {
        const when = where.anyOf("temporarily_assigned_cids", tenants);
        return { kind: "choice", when, value: true, otherwise: false };
      }
      case "non_ancestor_assigned_cids": {
        const among = tenants.filter((cid) => !viewer.ancestors.has(cid));
        return { kind: "elements", of: "assigned_cids", among };
      }
      case "associated_cids":
        // The record itself contains its home tenant, so everyone who sees the record knows it.
        return { kind: "elements", of: name, among: tenants, or: "cid" };
      default:
        return { kind: "elements", of: name, among: tenants };
    }
  },
  show: (user, viewer) => {
    if (typeOf(user, viewer) === "internal") return user;
    // An external user has had access since the first grant.
    const [since = user.access_granted_at] = user.grants
      .filter(({ cid }) => cid === viewer.cid)
      .map(({ granted_at }) => granted_at)
      .toSorted();
    return { ...user, user_type: "external", access_granted_at: since };
  },
};

/** The users of all tenants. A `uid` is unique among all of them. */
export const users: Resource<StoredUser, Viewer> = {
  name: "users",
  collection: "user_management",
  fields,
  id: "uuid",
  uniqueKey: ({ uid }) => foldCase(uid),
  visibility,
  hidden: [
    "grants",
    "password",
    "password_token",
    "family",
    "name",
    "cid_name",
    "assigned_cids",
    "direct_assigned_cids",
    "associated_cids",
    "temporarily_assigned_cids",
    "first_temporary_cid",
    "has_temporary_roles",
    "administered_cids",
    "lastingly_administered_cids",
    "next_expiry",
    "revision",
  ],
  indexes: ["uid", "created_at", "next_expiry"],
};
