import { createHash } from "node:crypto";
import type { Field } from "@security-platform/fql";
import type { Column, ColumnType, InsertTarget } from "../dialects/dialect.ts";
import { StoreError } from "../types/errors.ts";
import type { Resource } from "../types/types.ts";

/** The columns that hold the values of one field. */
export interface FieldColumns {
  readonly name: string;
  readonly field: Field;
  readonly type: ColumnType;
  /** The column of the value. For an array field: the `field` of its rows in the values table. */
  readonly column: string;
  /** The prefix of the field's column names. Only the identifier's column `id` does not have it. */
  readonly stem: string;
  /** Whether a column holds the folded text if it differs from the value. */
  readonly fold: boolean;
  /** Whether a column holds the text key if it differs from the folded text. */
  readonly text: boolean;
  /**
   * Whether the value may change on expiry (at `turns_at`). Columns that end in `__after` hold the later
   * value.
   */
  readonly expires: boolean;
}

/** A column, or the first of two columns that is not null. */
export type IndexColumn = string | readonly [first: string, otherwise: string];

export interface Index {
  readonly name: string;
  readonly table: string;
  readonly unique: boolean;
  readonly columns: readonly IndexColumn[];
  /** SQL condition for the rows in the index, the same on both engines. */
  readonly where?: string;
}

/** The tables of one resource, derived from its descriptor. */
export interface Layout {
  readonly resource: Resource;
  /** Unique within the process. */
  readonly number: number;
  readonly table: string;
  /** Holds the elements of the array fields, one per row. */
  readonly valuesTable: string;
  /**
   * Holds the words of the resource's `words`, one row per version. Null if the resource has no such field.
   */
  readonly wordsTable: string | null;
  readonly fields: ReadonlyMap<string, FieldColumns>;
  /** Fields whose value depends on the reader. They replace stored fields of the same name. */
  readonly readerFields: ReadonlyMap<string, FieldColumns>;
  readonly columns: readonly Column[];
  readonly insert: InsertTarget;
  readonly insertValues: InsertTarget;
  readonly insertWords: InsertTarget | null;
  readonly indexes: readonly Index[];
  /** Fields with an index. */
  readonly indexed: ReadonlySet<string>;
}

export const afterSuffix = "__after";
export const foldSuffix = "__fold";
export const textSuffix = "__text";

const longestName = 63;

/** Identify the version. */
const keyColumns: readonly Column[] = [
  { name: "cid", type: "text" },
  { name: "row", type: "integer" },
  { name: "valid_from", type: "integer" },
];

const systemColumns: readonly Column[] = [
  ...keyColumns,
  { name: "valid_to", type: "integer" },
  { name: "id", type: "text" },
  { name: "unique_key", type: "text" },
  { name: "purge_at", type: "text" },
  { name: "turns_at", type: "text" },
  { name: "doc", type: "text" },
  { name: "doc_after", type: "text" },
];

/** System columns that only some resources need. They follow the columns of every resource. */
function ownSystemColumns({ hidden, visibility }: Resource): readonly Column[] {
  return [
    ...(hidden === undefined ? [] : [{ name: "hidden", type: "text" } as const]),
    ...(visibility?.audience === undefined ? [] : [{ name: "audience", type: "text" } as const]),
  ];
}

/** The search text of a version: see `wordsColumns`. */
const wordColumns: readonly Column[] = [
  ...keyColumns,
  { name: "words", type: "text" },
  { name: "text_key", type: "text" },
  { name: "sequence", type: "text" },
];

const valueColumns: readonly Column[] = [
  ...keyColumns,
  { name: "field", type: "text" },
  { name: "value", type: "text" },
  { name: "number", type: "number" },
  { name: "fold", type: "text" },
  { name: "text", type: "text" },
  // The full value if it is too long for the index, which then holds only a part of it.
  { name: "long", type: "text" },
];

const layouts = new WeakMap<object, Layout>();
let derived = 0;

/** Throws `StoreError` if no tables can be derived from the descriptor. */
export function layoutOf(resource: Resource): Layout {
  let layout = layouts.get(resource);
  if (layout === undefined) {
    layout = deriveLayout(resource);
    layouts.set(resource, layout);
  }
  return layout;
}

function deriveLayout(resource: Resource): Layout {
  const table = `${resource.collection}_${resource.name}`.replaceAll(/[^a-z0-9]+/g, "_");
  const valuesTable = `${table}__values`;
  const fields = new Map(
    Object.entries(resource.fields).map(([name, field]) => [
      name,
      fieldColumns(resource, name, field),
    ]),
  );
  const columns = [
    ...systemColumns,
    ...ownSystemColumns(resource),
    ...[...fields.values()].flatMap(columnsOfField),
  ];
  const tooLong = columns.find(({ name }) => Buffer.byteLength(name) > longestName);
  if (tooLong !== undefined) {
    throw new StoreError(`${resource.name}: the column name ${tooLong.name} is too long`);
  }
  for (const name of [...resource.indexes, ...(resource.expiry?.changes ?? [])]) {
    if (!fields.has(name)) throw new StoreError(`${resource.name} has no field ${name}`);
  }
  for (const name of resource.blobs ?? []) {
    if (fields.get(name)?.field.array !== true && !resource.indexes.includes(name)) {
      throw new StoreError(`${resource.name}: ${name} holds blobs and has no index`);
    }
  }
  if (resource.blobBytes !== undefined && fields.get(resource.blobBytes)?.type !== "number") {
    throw new StoreError(`${resource.name}: ${resource.blobBytes} is no number`);
  }
  const worded = resource.words === undefined ? undefined : fields.get(resource.words);
  if (
    resource.words !== undefined &&
    (worded?.fold !== true || worded.expires || worded.field.array === true)
  ) {
    throw new StoreError(
      `${resource.name}: ${resource.words} is not a text that only writes change`,
    );
  }
  if (resource.words !== undefined && resource.visibility?.sources?.includes("platform") === true) {
    throw new StoreError(`${resource.name}: the words of platform records are not indexed`);
  }
  if (resource.hidden?.includes(resource.id) === true) {
    throw new StoreError(`${resource.name}: its identifier cannot be hidden`);
  }
  const open = resource.sealed?.find(
    (name) => resource.hidden?.includes(name) !== true || name in resource.fields,
  );
  if (open !== undefined) {
    throw new StoreError(
      `${resource.name}: ${open} is not hidden, or is a field, and cannot be sealed`,
    );
  }
  checkVisibility(resource, fields);
  derived += 1;
  return {
    resource,
    number: derived,
    table,
    valuesTable,
    wordsTable: resource.words === undefined ? null : `${table}__words`,
    fields,
    readerFields: new Map(
      Object.entries(resource.visibility?.fields ?? {}).map(([name, field]) => [
        name,
        fieldColumns(resource, name, field),
      ]),
    ),
    columns,
    insert: { table, columns },
    insertValues: { table: valuesTable, columns: valueColumns },
    insertWords:
      resource.words === undefined ? null : { table: `${table}__words`, columns: wordColumns },
    indexes: indexesOf(resource, table, valuesTable, fields),
    indexed: new Set(resource.indexes),
  };
}

function checkVisibility(resource: Resource, fields: ReadonlyMap<string, FieldColumns>): void {
  const { name, visibility, softDelete } = resource;
  if (visibility === undefined) return;
  const kinds = visibility.sources ?? ["own"];
  const refuse = (problem: string): never => {
    throw new StoreError(`${name}: ${problem}`);
  };
  const platform = kinds.includes("platform");
  if (kinds.length === 0 || (!platform && !kinds.includes("own"))) {
    refuse("visibility needs own or platform records");
  }
  if (platform && kinds.includes("ancestor")) {
    refuse("records of the platform and of ancestors cannot be combined");
  }
  if (platform && kinds.includes("own") && softDelete !== undefined) {
    refuse("a deleted record would give way to the platform's; keep it as a record instead");
  }
  const { inheritedField, audience } = visibility;
  if (inheritedField !== undefined && fields.get(inheritedField)?.field.type !== "boolean") {
    refuse(`${inheritedField} is not a boolean field`);
  }
  if (audience === undefined) return;
  const { field, expires = false } = fields.get(audience) ?? {};
  const listed = field?.type === "string" && field.array === true && field.derive === undefined;
  if (!listed || expires) refuse(`${audience} is not an array of texts that only writes change`);
  if (!platform || kinds.length > 1) {
    refuse("records with an audience are stored by the platform alone");
  }
}

/** Whether the field's order ignores case. Otherwise it is the order of code points. */
export const sortsFolded = (
  { folded = [] }: Resource,
  { name, field, fold }: FieldColumns,
): boolean => fold && field.case === "insensitive" && !folded.includes(name);

/** Lists with predefined records are short, so their order without regard to case needs no index. */
const hasPredefined = ({ visibility }: Resource): boolean =>
  visibility?.sources?.includes("platform") ?? false;

const columnTypes = {
  string: "text",
  timestamp: "text",
  ip: "text",
  number: "number",
  boolean: "boolean",
} as const;

function fieldColumns(resource: Resource, name: string, field: Field): FieldColumns {
  const array = field.array === true;
  const expires = resource.expiry?.changes.includes(name) ?? false;
  const searchable = field.type === "string" && field.filterable !== false;
  const listed = field.values !== undefined;
  const isId = (field.path ?? name) === resource.id && field.derive === undefined;
  return {
    name,
    field,
    type: columnTypes[field.type],
    column: array ? name : isId && !expires && !array ? "id" : stemOf(name),
    stem: stemOf(name),
    fold: searchable && (!listed || field.case === "insensitive"),
    // The table of words holds the text key of its field.
    text: searchable && !listed && name !== resource.words,
    expires,
  };
}

const longestStem = longestName - (foldSuffix + afterSuffix).length;

/** The field's name. If suffixes would make it too long: its start and a digest. */
const stemOf = (name: string): string => shortened(`field_${name}`, longestStem);

/** The columns that a field adds to its resource's table. */
function columnsOfField({ field, type, column, stem, ...has }: FieldColumns): readonly Column[] {
  if (field.array === true) return [];
  const columns: Column[] = column === "id" ? [] : [{ name: stem, type }];
  if (has.fold) columns.push({ name: stem + foldSuffix, type: "text" });
  if (has.text) columns.push({ name: stem + textSuffix, type: "text" });
  if (!has.expires) return columns;
  return columns.flatMap((each) => [each, { ...each, name: each.name + afterSuffix }]);
}

function indexesOf(
  resource: Resource,
  table: string,
  valuesTable: string,
  fields: ReadonlyMap<string, FieldColumns>,
): readonly Index[] {
  const current = "valid_to is null";
  const indexes: Index[] = [
    { name: "id", table, unique: true, columns: ["cid", "id"], where: current },
    {
      name: "superseded",
      table,
      unique: false,
      columns: ["cid", "valid_to"],
      where: "valid_to is not null",
    },
    {
      name: "hidden",
      table,
      unique: false,
      columns: ["cid", ...version, "valid_to", "purge_at"],
      where: "valid_to is not null or purge_at is not null",
    },
  ];
  if (resource.uniqueKey !== undefined) {
    const columns = ["cid", "unique_key"];
    indexes.push({ name: "unique_key", table, unique: true, columns, where: current });
  }
  if (resource.softDelete !== undefined) {
    const where = "purge_at is not null";
    indexes.push({ name: "purge", table, unique: false, columns: ["cid", "purge_at"], where });
  }
  const single = [...fields.values()].filter(({ field }) => field.array !== true);
  for (const each of single) {
    if (!resource.indexes.includes(each.name)) continue;
    for (const suffix of each.expires ? ["", afterSuffix] : [""]) {
      const hasOrder = sortsFolded(resource, each) && !hasPredefined(resource);
      indexes.push(...fieldIndexes(table, each, suffix, hasOrder));
    }
  }
  if (single.length < fields.size) {
    const columns = ["cid", "field", "value", ...version];
    indexes.push({ name: "value", table: valuesTable, unique: false, columns });
  }
  if ([...fields.values()].some(({ field, fold: folds }) => field.array === true && folds)) {
    const columns = ["cid", "field", "fold", ...version];
    const where = "fold is not null and long is null";
    indexes.push({ name: "fold", table: valuesTable, unique: false, columns, where });
  }
  return indexes.map((index) => ({ ...index, name: indexName(index) }));
}

/** Identifies the version. It is at the end of each index, so that a count need not read the rows. */
const version = ["row", "valid_from"];

function fieldIndexes(
  table: string,
  { name, field, column, stem, fold: folds }: FieldColumns,
  suffix: string,
  hasOrder: boolean,
): readonly Index[] {
  const plain = {
    name: name + suffix,
    table,
    unique: false,
    columns: ["cid", column + suffix, ...version],
    ...(suffix === afterSuffix ? { where: "turns_at is not null" } : {}),
  };
  if (!folds || field.case !== "insensitive") return [plain];
  const folded = `${stem}${foldSuffix}${suffix}`;
  const value = column + suffix;
  const order = {
    ...plain,
    name: `${name}__order${suffix}`,
    columns: ["cid", [folded, value] as const, value, ...version],
  };
  return [
    plain,
    ...(hasOrder ? [order] : []),
    {
      ...plain,
      name: name + foldSuffix + suffix,
      columns: ["cid", folded, ...version],
      where: `"${folded}" is not null`,
    },
  ];
}

export const indexName = ({ table, name }: Pick<Index, "table" | "name">): string =>
  shortened(`${table}__${name}`, longestName);

function shortened(name: string, longest: number): string {
  if (Buffer.byteLength(name) <= longest) return name;
  const digest = createHash("sha256").update(name).digest("hex").slice(0, 8);
  return `${name.slice(0, longest - 9)}_${digest}`;
}
