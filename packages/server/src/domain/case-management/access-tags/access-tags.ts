import { foldCase, type Fields } from "@security-platform/fql";
import { fqlTables, type components } from "@security-platform/spec";
import { newIdentifier } from "../../../foundation/identifiers.ts";
import type { Resource } from "../../../store/index.ts";

export type AccessTag = components["schemas"]["AccessTag"];

/** The noun for one record in messages. */
export const accessTagNoun = "access tag";

/** A stored access tag: the served one and its holders. */
export interface StoredAccessTag extends AccessTag {
  /** UUIDs of users, ids of API clients, and ids of roles whose users hold it. */
  readonly holders: readonly string[];
}

const fields: Fields = {
  ...fqlTables["access-tags"].fields,
  holders: { type: "string", array: true },
};

/**
 * Labels that restrict who can see a case. A template creates them; commands grant and revoke them.
 */
export const accessTags: Resource<StoredAccessTag> = {
  name: "access_tags",
  collection: "case_management",
  fields,
  id: "id",
  uniqueKey: ({ key }) => foldCase(key),
  hidden: ["holders"],
  indexes: ["key"],
};

/** Access tags as a kind, for the handlers of plain kinds. */
export const accessTagKind = {
  noun: accessTagNoun,
  resource: accessTags,
  fields: fqlTables["access-tags"].fields,
};

/** A new access tag. Its creator holds it, because otherwise nobody could see its cases. */
export const newAccessTag = (key: string, cid: string, creator: string): StoredAccessTag => ({
  id: newIdentifier(),
  key,
  cid,
  templates: [],
  holders: [creator],
});
