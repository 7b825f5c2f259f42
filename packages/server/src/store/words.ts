import { fieldValues, textKey, wordSequence, type FilterRecord } from "@security-platform/fql";
import { sql, type RawBuilder, type SqlBool } from "kysely";
import type { Layout } from "./columns.ts";
import type { Dialect } from "./dialects/dialect.ts";
import type { Parameter } from "./plan-key.ts";
import type { WordsShape } from "./shapes.ts";
import { bind } from "./statements.ts";
import { storedText } from "./stored-text.ts";
import { trigramsOf } from "./trigrams.ts";
import { runsOf, sequenceOf } from "./word-runs.ts";

/**
 * Maximum size of the indexed words in bytes. PostgreSQL allows a megabyte per text search vector, of which
 * trigrams take at most 187 KB and runs of words 234 KB. The limit is the same on both engines.
 */
const mostBytes = 600_000;

/**
 * The columns of a record's row in the table of words. `words` is the content of the index: the tenant (so
 * that the index finds records of one tenant), the words, their runs and the trigrams. No word begins with
 * `_`. `text_key` and `sequence` are the text as its key and as its sequence of words; candidates of the
 * index are compared with them.
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
  const indexed = [`_${cid}`];
  let bytes = 0;
  for (const word of new Set(sequence)) {
    bytes += Buffer.byteLength(word) + 1;
    if (bytes > mostBytes) break;
    indexed.push(word);
  }
  const words = [...indexed, ...runsOf(sequence), ...trigramsOf([key])].join(" ");
  return [storedText(words), storedText(key), sequenceOf(sequence)];
}

interface Searched {
  readonly layout: Layout;
  readonly dialect: Dialect;
  readonly cid: Parameter;
}

/** Versions of the tenant whose text satisfies the condition, as rows of `row` and `valid_from`. */
export const versionsWith = (
  { words, part, phrases }: WordsShape,
  { layout, dialect, cid }: Searched,
): RawBuilder<unknown> =>
  dialect.versionsWithWords(layout.wordsTable ?? "", {
    cid: bind(cid),
    words: bind(words),
    part: part === null ? null : bind(part),
    phrases: phrases.map(bind),
  });

/** Whether the text of the row `t` satisfies the condition. */
export const hasWords = (shape: WordsShape, scope: Searched): RawBuilder<SqlBool> =>
  sql`(t.row, t.valid_from) in (${versionsWith(shape, scope)})`;
