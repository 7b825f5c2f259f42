/** Rows and columns that are passed between the nodes of a data-frame query. */
import {
  fieldValues,
  nearest,
  type Field,
  type Fields,
  type FilterRecord,
} from "@security-platform/fql";

/** The values of a row in the order of its columns; null for a missing value. */
export type Row = readonly unknown[];

/** Rows in batches, so that a source of any size needs little memory. */
export type Rows = AsyncIterable<readonly Row[]>;

export interface Column {
  readonly name: string;
  /** The type of the column, and how filters, sorts and joins compare its values. */
  readonly field: Field;
}

/** The columns of rows, also as an FQL table over the rows. */
export class Frame {
  readonly columns: readonly Column[];
  readonly fields: Fields;
  readonly #places: ReadonlyMap<string, number>;

  constructor(columns: readonly Column[]) {
    this.columns = columns.map(({ name, field }) => ({ name, field: plain(field) }));
    this.fields = Object.fromEntries(
      this.columns.map(({ name, field }, index) => [name, { ...field, path: String(index) }]),
    );
    this.#places = new Map(columns.map(({ name }, index) => [name, index]));
  }

  /** Index of the column; undefined for an unknown column. */
  place(name: string): number | undefined {
    return this.#places.get(name);
  }

  /** The message for an unknown column. */
  unknown(name: string): string {
    const nearestColumn = nearest(name, [...this.#places.keys()]);
    return `unknown column ${name}${nearestColumn === undefined ? "" : `; did you mean ${nearestColumn}?`}`;
  }
}

/** A row as an FQL record whose members are named by column index. */
export const asRecord = (row: Row): FilterRecord => row as unknown as FilterRecord;

/** The values of one column of a row, converted for comparison. */
export function comparable(frame: Frame, row: Row, column: number) {
  const { name } = frame.columns[column] ?? {};
  const field = name === undefined ? undefined : frame.fields[name];
  return field === undefined ? [] : fieldValues(asRecord(row), "", field);
}

/** The field of a column without path and derived value, because rows contain the values themselves. */
function plain({ type, array, match, case: letterCase, values }: Field): Field {
  return {
    type,
    sortable: array !== true,
    ...(array === undefined ? {} : { array }),
    ...(match === undefined ? {} : { match }),
    ...(letterCase === undefined ? {} : { case: letterCase }),
    ...(values === undefined ? {} : { values }),
  };
}
