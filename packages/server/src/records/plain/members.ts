import { where, type Predicate } from "@security-platform/fql";
import type { Resource } from "../../store/index.ts";
import type { Named, PlainRecord } from "./kind.ts";

/** The texts of a member; empty if it has no value. `path` may lead into objects. */
export function textsAt(record: object, path: string): readonly string[] {
  let value: unknown = record;
  for (const name of path.split(".")) {
    value = (value as Readonly<Record<string, unknown>> | null | undefined)?.[name];
  }
  if (Array.isArray(value)) return value.filter((each) => typeof each === "string");
  return typeof value === "string" && value !== "" ? [value] : [];
}

/** The texts of a member, each with its place in the record. */
export function placedTextsAt(record: object, member: string): readonly Named[] {
  const value: unknown = (record as Readonly<Record<string, unknown>>)[member];
  const place = `.${member}`;
  if (!Array.isArray(value)) return textsAt(record, member).map((id) => ({ id, place }));
  return value.flatMap((id: unknown, index) =>
    typeof id === "string" ? [{ id, place: `${place}[${index}]` }] : [],
  );
}

export const isDeleted = ({ deleted }: PlainRecord): boolean => deleted === true;

/** Matches records that are not deleted. If a resource keeps no deleted records, it matches all. */
export const isLive = ({ fields }: Pick<Resource, "fields">): Predicate =>
  "deleted" in fields ? where.equal("deleted", false) : where.everything;
