import type { Fields } from "@security-platform/fql";
import type { Problem } from "../../foundation/errors.ts";
import type { Writing, WritingCall } from "../../records/write.ts";
import type { Resource, Store } from "../../store/index.ts";

/** The common members of user groups and tenant groups. */
export interface Group {
  readonly id: string;
  /** The tenant that the group belongs to. The record itself is stored with the platform. */
  readonly cid: string;
  readonly name: string;
  readonly description?: string;
  readonly last_modified_timestamp?: string;
}

/** Name and description of a group in a request. */
export interface GroupTexts {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
}

/** Members of a group that a request adds or removes. */
export interface GroupMembers {
  readonly id: string;
  readonly members: readonly string[];
}

/** A write call with access to the directory of tenants. */
export type GroupCall = WritingCall & { readonly context: { readonly store: Store } };

/** Everything in which the operations of user groups and tenant groups differ. */
export interface GroupKind<Record extends Group> {
  readonly resource: Resource<Record>;
  /** The fields that callers may sort by. */
  readonly fields: Fields;
  readonly noun: string;
  /** The names of the members in requests and responses. */
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
  /**
   * Problems of members that the tenant cannot add. The map gives the place of each member in the request.
   */
  unknownMembers(
    call: GroupCall,
    writing: Writing,
    members: ReadonlyMap<string, string>,
  ): Promise<readonly Problem[]>;
  /** Updates the records that refer to the groups, before the groups are removed. */
  release?(writing: Writing, groups: readonly Record[]): Promise<void>;
}
