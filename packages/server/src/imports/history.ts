import { isDeepStrictEqual } from "node:util";

/** The members of a record with the author and time of its creation and last change. */
export interface History<At extends string> {
  readonly created: readonly [by: "created_by", at: `created_${At}`];
  readonly modified: readonly [by: "modified_by", at: `modified_${At}`];
}

type Members = Readonly<Record<string, unknown>>;

/**
 * Merges the history of a record and a newer line: members that the line lacks stay. If the line changes
 * the record, the import is its last author.
 */
export function withHistory<Made extends object, At extends string>(
  stored: Made,
  { record, line, now }: { readonly record: Made; readonly line: object; readonly now: Date },
  { created, modified }: History<At>,
): Made {
  const members = line as Members;
  const kept = (name: string): unknown =>
    members[name] === undefined ? (stored as Members)[name] : (record as Members)[name];
  const next = {
    ...record,
    ...Object.fromEntries([...created, ...modified].map((name) => [name, kept(name)])),
  };
  if (isDeepStrictEqual(next, stored)) return stored;
  const [by, at] = modified;
  return {
    ...next,
    ...(members[by] === undefined ? { [by]: "import" } : {}),
    ...(members[at] === undefined ? { [at]: now.toISOString() } : {}),
  };
}
