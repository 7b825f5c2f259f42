import { fieldValues, textKey, wordsOf, type FilterRecord } from "@security-platform/fql";
import { sql, type RawBuilder, type SqlBool } from "kysely";
import type { Layout } from "./columns.ts";
import type { Dialect } from "./dialects/dialect.ts";
import type { Parameter } from "./plan-key.ts";
import { bind } from "./statements.ts";
import { storedText } from "./stored-text.ts";
import { trigramsOf } from "./trigrams.ts";

/**
 * PostgreSQL keeps a megabyte in a text search vector, a quarter of which is for trigrams; the same limit on
 * both engines. Bytes.
 */
const mostBytes = 700_000;

/**
 * The words and trigrams of a record with its tenant before them, so that the index finds those of one
 * tenant. No word begins with `_`.
 */
export function wordsColumn({ resource }: Layout, cid: string, record: object): string {
  const { words: name = "" } = resource;
  const field = resource.fields[name];
  const values = field === undefined ? [] : fieldValues(record as FilterRecord, name, field);
  const words = [`_${cid}`];
  let bytes = 0;
  for (const word of wordsOf(values.join("\n"))) {
    bytes += Buffer.byteLength(word) + 1;
    if (bytes > mostBytes) break;
    words.push(word);
  }
  return storedText([...words, ...trigramsOf(values.map(String).map(textKey))].join(" "));
}

interface Searched {
  readonly layout: Layout;
  readonly dialect: Dialect;
  readonly cid: Parameter;
}

/** Versions of the tenant that contain every word: rows of `row` and `valid_from`. */
export const versionsWith = (
  words: Parameter<string>,
  { layout, dialect, cid }: Searched,
): RawBuilder<unknown> =>
  dialect.versionsWithWords(layout.wordsTable ?? "", bind(cid), bind(words));

/** The row `t` contains every word. */
export const hasWords = (words: Parameter<string>, scope: Searched): RawBuilder<SqlBool> =>
  sql`(t.row, t.valid_from) in (${versionsWith(words, scope)})`;
