import type { Fields } from "@security-platform/fql";
import type { Problem } from "../../errors.ts";
import type { Writing, WritingCall } from "../../records/write.ts";
import type { Resource, Store } from "../../store/types.ts";

/** What groups of users and groups of tenants have in common. */
export interface Group {
  readonly id: string;
  /** The tenant that the group belongs to; the platform stores it. */
  readonly cid: string;
  readonly name: string;
  readonly description?: string;
  readonly last_modified_timestamp?: string;
}

/** Name and description of a group, as a request has them. */
export interface GroupTexts {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
}

/** Members of a group that a request adds or removes. */
export interface GroupMembers {
  readonly id: string;
  readonly members: readonly string[];
}

/** A write, and the directory of tenants. */
export type GroupCall = WritingCall & { readonly context: { readonly store: Store } };

/** Groups of users, or of tenants: all that their operations differ in. */
export interface GroupKind<Record extends Group> {
  readonly resource: Resource<Record>;
  /** The fields that callers may sort by. */
  readonly fields: Fields;
  readonly noun: string;
  /** The names of the members in requests and answers. */
  readonly wire: {
    readonly id: "user_group_id" | "cid_group_id";
    readonly members: "user_uuids" | "cids";
  };
  /** Maximum number of members. */
  readonly largest: number;
  members(group: Record): readonly string[];
  /** A new group without members. */
  make(parts: Group): Record;
  withMembers(group: Record, members: readonly string[]): Record;
  /** Problems of members that the tenant cannot add, by their place in the request. */
  unknownMembers(
    call: GroupCall,
    writing: Writing,
    members: ReadonlyMap<string, string>,
  ): Promise<readonly Problem[]>;
  /** Changes what refers to groups before they are removed. */
  release?(writing: Writing, groups: readonly Record[]): Promise<void>;
}
