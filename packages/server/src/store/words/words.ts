import { fieldValues, textKey, wordSequence, type FilterRecord } from "@security-platform/fql";
import { sql, type Sql } from "../dialects/sql.ts";
import type { Layout } from "../rows/columns.ts";
import type { Dialect, WordsCondition } from "../dialects/dialect.ts";
import type { RowScope } from "../statements/read-values.ts";
import { storedText } from "../rows/stored-values.ts";
import { trigramsIn, trigramsOf } from "./trigrams.ts";
import { runsIn, runsOf, sequenceOf, startOf } from "./word-runs.ts";

/**
 * Maximum size of the indexed words in bytes. PostgreSQL allows a megabyte per text search vector, of which
 * trigrams take at most 187 KB. A text with runs has fewer words, because they are a part of its runs. The limit
 * is the same on both engines.
 */
const mostBytes = 600_000;

/** A word in the index of each text whose runs are too long for it. */
const withoutRuns = "_compared";

/**
 * The columns of a record's row in the table of words. `words` is the content of the index: the tenant (so
 * that the index finds records of one tenant), the words, their runs and the trigrams. No word begins with
 * `_`. `text_key` and `sequence` are the text as its key and as its sequence of words. Candidates are compared
 * with them where the index does not decide.
 */
export function wordsColumns(
  { resource }: Layout,
  cid: string,
  record: object,
): readonly [words: string, textKey: string, sequence: string] {
  const { words: name = "" } = resource;
  const field = resource.fields[name];
  const [value = ""] =
    field === undefined ? [] : fieldValues(record as FilterRecord, name, field).map(String);
  const key = textKey(value);
  const sequence = wordSequence(value);
  const words = [`_${cid}`, ...indexedWords(sequence, key)].join(" ");
  return [storedText(words), storedText(key), sequenceOf(sequence)];
}

/** The content of a text's index without the tenant. */
export function indexedWords(sequence: readonly string[], key: string): readonly string[] {
  const indexed: string[] = [];
  let bytes = 0;
  for (const word of new Set(sequence)) {
    bytes += Buffer.byteLength(word) + 1;
    if (bytes > mostBytes) break;
    indexed.push(word);
  }
  const runs = runsOf(sequence) ?? [withoutRuns];
  return [...indexed, ...runs, ...trigramsOf([key])];
}

/** Texts with these words and phrases. */
export function wordsConditions(
  words: readonly string[],
  phrases: readonly (readonly string[])[],
  { wordsQuery }: Dialect,
): WordsCondition {
  const runs = phrases.map(runsIn);
  const exact = {
    words: [...new Set([...words, ...runs.flatMap((each) => each.runs)])],
    starts: runs.flatMap(({ starts }) => starts),
  };
  const compared = { words: [...new Set([...words, withoutRuns])], starts: [] };
  const decided = runs.every((each) => each.exact);
  const possible = [...(decided ? [] : [exact]), ...(phrases.length === 0 ? [] : [compared])];
  return {
    proven: decided ? wordsQuery([exact]) : null,
    possible: possible.length === 0 ? null : wordsQuery(possible),
    part: null,
    phrases: phrases.map(sequenceOf),
  };
}

/** Texts whose key contains `part`, the key of a text with these words. */
export function partConditions(
  part: string,
  words: readonly string[],
  { wordsQuery }: Dialect,
): WordsCondition {
  const start = startOf(words);
  return {
    proven: start === null ? null : wordsQuery([{ words: [], starts: [start] }]),
    possible: wordsQuery([{ words: trigramsIn(part), starts: [] }], start),
    part: storedText(part),
    phrases: [],
  };
}

type Searched = Pick<RowScope, "layout" | "dialect" | "cid">;

/** Versions of the tenant whose text satisfies the condition, as rows of `row` and `valid_from`. */
export const versionsWith = (condition: WordsCondition, { layout, dialect, cid }: Searched): Sql =>
  dialect.versionsWithWords(layout.wordsTable ?? "", cid, condition);

/** Whether the text of the row `t` satisfies the condition. */
export const hasWords = (condition: WordsCondition, scope: Searched): Sql =>
  sql`(t.row, t.valid_from) in (${versionsWith(condition, scope)})`;
