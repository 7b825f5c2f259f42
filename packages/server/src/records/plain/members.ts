import { where, type Predicate } from "@security-platform/fql";
import type { Resource } from "../../store/types.ts";
import type { PlainRecord } from "./kind.ts";

/** The texts of a member; empty if it has no value. `path` may lead into objects. */
export function textsAt(record: object, path: string): readonly string[] {
  let value: unknown = record;
  for (const name of path.split(".")) {
    value = (value as Readonly<Record<string, unknown>> | null | undefined)?.[name];
  }
  if (Array.isArray(value)) return value.filter((each) => typeof each === "string");
  return typeof value === "string" && value !== "" ? [value] : [];
}

/** The place of a member's text in the request. */
export function placeOf(at: string, record: object, member: string, text: string): string {
  const value: unknown = (record as Readonly<Record<string, unknown>>)[member];
  return Array.isArray(value) ? `${at}.${member}[${value.indexOf(text)}]` : `${at}.${member}`;
}

export const isDeleted = ({ deleted }: PlainRecord): boolean => deleted === true;

/** Matches records that are not deleted. If a resource keeps no deleted records, it matches all. */
export const isLive = ({ fields }: Pick<Resource, "fields">): Predicate =>
  "deleted" in fields ? where.equal("deleted", false) : where.everything;
