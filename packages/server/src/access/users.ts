import { foldCase, type Fields } from "@security-platform/fql";
import { fqlTables, type components } from "@security-platform/spec";
import type { Resource } from "../store/types.ts";
import type { PasswordToken } from "./password-tokens.ts";

type Schemas = components["schemas"];
export type User = Schemas["User"];

/** How one is called in messages. */
export const userNoun = "user";

/** A role that a user was given by name, not through a group. */
export interface DirectGrant {
  /** The tenant in which the role is held. */
  readonly cid: string;
  readonly role_id: string;
  /** RFC 3339. */
  readonly granted_at: string;
  /** RFC 3339; from then on the grant does not exist. Absent: it stays. */
  readonly expires_at?: string;
}

/** What follows from a user's grants, direct ones and those through groups. */
export interface UserReach {
  /** Tenants in which the user has a role. Every list of tenants is in text order. */
  readonly assigned_cids: readonly string[];
  readonly direct_assigned_cids: readonly string[];
  /** The home tenant and `assigned_cids`: who knows the user. */
  readonly associated_cids: readonly string[];
  readonly temporarily_assigned_cids: readonly string[];
  /** What `temporarily_assigned_cids` sorts by. */
  readonly first_temporary_cid?: string;
  readonly has_temporary_roles: boolean;
  /** Tenants in which the user is an administrator. */
  readonly administered_cids: readonly string[];
  /** Those of `administered_cids` in which no expiry ends it. */
  readonly lastingly_administered_cids: readonly string[];
  /** When the first of the grants ends: what follows from them holds until then. */
  readonly next_expiry?: string;
}

/** As stored: the served user as its home tenant sees it, and members that are never served. */
export interface StoredUser extends User, UserReach {
  readonly grants: readonly DirectGrant[];
  /** As `hashPassword` makes it. Absent: there is none to sign in with. */
  readonly password?: string;
  /** What the user can set a password with, once. */
  readonly password_token?: PasswordToken;
  /** Cid of the root of the home tenant's tree: within a tree users are internal. */
  readonly family: string;
  /** First and last name; null where there is neither. */
  readonly name: string | null;
  readonly cid_name: string;
  /** Grows whenever a grant or a group of the user may have changed, so that permissions can be kept. */
  readonly revision?: number;
}

const {
  // Both depend on who asks; seen-users.ts puts such questions in terms of the others.
  user_type: _userType,
  non_ancestor_assigned_cids: _nonAncestor,
  ...askedFields
} = fqlTables.users.fields;

const fields: Fields = {
  ...askedFields,
  temporarily_assigned_cids: { type: "string", array: true },
  first_temporary_cid: { type: "string", sortable: true },
  administered_cids: { type: "string", array: true },
  lastingly_administered_cids: { type: "string", array: true },
  family: { type: "string" },
  next_expiry: { type: "timestamp", sortable: true },
};

/** The users of all tenants: one set, in which a `uid` is there once. */
export const users: Resource<StoredUser> = {
  name: "users",
  collection: "user_management",
  fields,
  id: "uuid",
  uniqueKey: ({ uid }) => foldCase(uid),
  audience: "associated_cids",
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
