import { isDeepStrictEqual } from "node:util";
import { recordTimestamp } from "../records/timestamp.ts";

/** The members of a record that tell who made and changed it, and when. */
export interface History<At extends string> {
  readonly created: readonly [by: "created_by", at: `created_${At}`];
  readonly modified: readonly [by: "modified_by", at: `modified_${At}`];
}

type Members = Readonly<Record<string, unknown>>;

/**
 * What a newer line makes of a record: its history stays where the line says nothing of it, and a
 * record that the line changes was changed now, by the import.
 */
export function withHistory<Made extends object, At extends string>(
  stored: Made,
  { record, line, now }: { readonly record: Made; readonly line: object; readonly now: Date },
  { created, modified }: History<At>,
): Made {
  const said = line as Members;
  const kept = (name: string): unknown =>
    said[name] === undefined ? (stored as Members)[name] : (record as Members)[name];
  const next = {
    ...record,
    ...Object.fromEntries([...created, ...modified].map((name) => [name, kept(name)])),
  };
  if (isDeepStrictEqual(next, stored)) return stored;
  const [by, at] = modified;
  return {
    ...next,
    ...(said[by] === undefined ? { [by]: "import" } : {}),
    ...(said[at] === undefined ? { [at]: now.toISOString() } : {}),
  };
}

/** An instant of a line as records carry it. */
export const timestampOr = (text: string | undefined, otherwise: string): string =>
  (text === undefined ? null : recordTimestamp(text)) ?? otherwise;
