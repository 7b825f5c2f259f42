import type { Writing } from "../../../records/write.ts";
import type { RecordText } from "../../../store/index.ts";
import { allText } from "./all-text.ts";
import { cases, inOrder, type StoredCase } from "./cases.ts";

/** A case without the derived members. */
export type UnfilledCase = Omit<StoredCase, "all_text" | "restricted">;

/** The case with all derived members, in the order of the document. */
export function filled(unfilled: UnfilledCase): StoredCase {
  const restricted = unfilled.access_tags.length > 0;
  const stored = { ...unfilled, restricted };
  return inOrder({ ...stored, all_text: allText(stored) } as StoredCase);
}

/** Stores a new case. */
export async function insertCase(writing: Writing, created: UnfilledCase): Promise<RecordText> {
  const [text] = await writing.records(cases).insert([filled(created)]);
  if (text === undefined) throw new Error(`case ${created.id} was not stored`);
  return text;
}
