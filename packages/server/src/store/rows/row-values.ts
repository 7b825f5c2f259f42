import { createHash } from "node:crypto";
import {
  canonicalTimestamp,
  fieldValues,
  foldCase,
  textKey,
  type FilterRecord,
  type Scalar,
} from "@security-platform/fql";
import { afterSuffix, type FieldColumns, type Layout } from "./columns.ts";
import type { Bindable } from "../dialects/sql.ts";
import { elementKey, isLong, storedText } from "./stored-values.ts";
import { StoreError, TextTooLongError } from "../types/errors.ts";
import type { Resource } from "../types/types.ts";
import { hiddenText, servedPart } from "./record-parts.ts";

/** The values of a record's row, except the key and the validity. */
export interface RowValues {
  readonly expiresAt: string | null;
  readonly doc: string;
  readonly docAfter: string | null;
  /** In the order of the layout's columns, after those of every resource. */
  readonly columns: readonly Bindable[];
  readonly elements: readonly Element[];
}

/** One distinct element of an array field. */
export interface Element {
  readonly field: string;
  readonly value: string;
  readonly number: number | null;
  readonly fold: string | null;
  readonly text: string | null;
  /** The full text if `value` is only a part of it. */
  readonly long: string | null;
}

/**
 * 512 characters of four bytes each. Keys of PostgreSQL's indexes have at most 2,704 bytes, including the
 * other columns. The limit is the same on both engines.
 */
const longestKey = 2_048;

/** Throws `TextTooLongError` for a text that is too long for its index. */
export function rowValues<Record extends object>(
  resource: Resource<Record>,
  layout: Layout,
  record: Record,
): RowValues {
  const at = resource.expiry?.at(record) ?? null;
  const expiresAt = at === null ? null : canonicalTimestamp(at);
  if (at !== null && expiresAt === null) {
    throw new StoreError(`${resource.name}: a record expires at "${at}", which is not a timestamp`);
  }
  const later = expiresAt === null ? null : (resource.expiry?.after(record) ?? null);
  const columns: Bindable[] = [];
  if (resource.hidden !== undefined) columns.push(hiddenText(resource, record));
  if (resource.visibility?.audience !== undefined) columns.push(audienceText(resource, record));
  const elements: Element[] = [];
  for (const columnsOfField of layout.fields.values()) {
    if (columnsOfField.field.array === true) {
      pushElements(elements, columnsOfField, columnsOfField.column, record);
      if (columnsOfField.expires && later !== null) {
        pushElements(elements, columnsOfField, columnsOfField.column + afterSuffix, later);
      }
    } else {
      pushColumns(columns, columnsOfField, layout, record, later);
    }
  }
  return {
    expiresAt,
    doc: JSON.stringify(servedPart(resource, record)),
    docAfter: later === null ? null : JSON.stringify(servedPart(resource, later)),
    columns,
    elements,
  };
}

/** The cids separated by commas, for PostgreSQL's row-level security. */
function audienceText({ name, fields, visibility }: Resource, record: object): string {
  const audience = visibility?.audience ?? "";
  const field = fields[audience];
  const cids = field === undefined ? [] : fieldValues(record as FilterRecord, audience, field);
  const wrong = cids.find((cid) => !/^[0-9a-f]{32}$/.test(String(cid)));
  if (wrong !== undefined)
    throw new StoreError(`${name}: ${audience} has ${wrong}, which is no cid`);
  return cids.join(",");
}

/** In the order in which `columnsOfField` lists them. */
function pushColumns(
  columns: Bindable[],
  { name, field, type, column, fold, text, expires }: FieldColumns,
  layout: Layout,
  record: object,
  later: object | null,
): void {
  const value = single(fieldValues(record as FilterRecord, name, field));
  const next =
    expires && later !== null ? single(fieldValues(later as FilterRecord, name, field)) : null;
  if (type === "text" && layout.indexed.has(name)) {
    checkLength(name, value);
    checkLength(name, next);
  }
  if (column !== "id") {
    columns.push(stored(value));
    if (expires) columns.push(stored(next));
  }
  if (fold) {
    columns.push(foldedColumn(value));
    if (expires) columns.push(foldedColumn(next));
  }
  if (text) {
    columns.push(textColumn(value));
    if (expires) columns.push(textColumn(next));
  }
}

function pushElements(
  elements: Element[],
  { name, field, type, fold, text }: FieldColumns,
  column: string,
  record: object,
): void {
  const values = fieldValues(record as FilterRecord, name, field);
  for (const value of values.length > 1 ? new Set(values) : values) {
    const full = storedText(String(value));
    const long = isLong(full) ? full : null;
    elements.push({
      field: column,
      value: elementKey(full),
      number: type === "number" ? (value as number) : null,
      // A long value needs the full folded text here, because its column `value` cannot be compared.
      fold: fold ? (foldedColumn(value) ?? long) : null,
      text: text ? textColumn(value) : null,
      long,
    });
  }
}

const single = (values: readonly Scalar[]): Scalar | null => values[0] ?? null;

const stored = (value: Scalar | null): Scalar | null =>
  typeof value === "string" ? storedText(value) : value;

/** Null if the text is already folded, as most identifiers are. */
function foldedColumn(value: Scalar | null): string | null {
  if (typeof value !== "string") return null;
  const folded = foldCase(value);
  return folded === value ? null : storedText(folded);
}

/** Null if the folded text is also the text key. */
function textColumn(value: Scalar | null): string | null {
  if (typeof value !== "string") return null;
  const key = textKey(value);
  return key === foldCase(value) ? null : storedText(key);
}

function checkLength(name: string, value: Scalar | null): void {
  if (typeof value !== "string" || value.length * 3 <= longestKey) return;
  if (Buffer.byteLength(value) > longestKey) {
    throw new TextTooLongError(name, longestKey);
  }
}

/** The key of one version of a record. */
export interface Place {
  readonly cid: string;
  readonly row: number;
  readonly validFrom: number;
}

/** In the order of the layout's values columns. */
export function elementRow({ cid, row, validFrom }: Place, element: Element): readonly Bindable[] {
  const { field, value, number, fold, text, long } = element;
  return [cid, row, validFrom, field, value, number, fold, text, long];
}

/** Hashed, so that a key of any length fits into the index. */
export const uniqueKeyColumn = (key: string): string =>
  createHash("sha256").update(key).digest("base64url").slice(0, 24);

/** The column of a record's unique key. Null if it has none, or is deleted. */
export function uniqueKeyOf<Record extends object>(
  resource: Resource<Record>,
  record: Record,
  purgeAt: string | null,
): string | null {
  const key = purgeAt === null ? (resource.uniqueKey?.(record) ?? null) : null;
  return key === null ? null : uniqueKeyColumn(key);
}
