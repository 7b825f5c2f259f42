/** Rows and columns: what flows between the nodes of a data-frame query. */
import {
  fieldValues,
  nearest,
  type Field,
  type Fields,
  type FilterRecord,
} from "@security-platform/fql";

/** The values of a row in the order of its columns; null where there is none. */
export type Row = readonly unknown[];

/** Rows in batches, so that a source of any size needs little memory. */
export type Rows = AsyncIterable<readonly Row[]>;

export interface Column {
  readonly name: string;
  /** What it holds; how filters, sorts and joins compare it. */
  readonly field: Field;
}

/** The columns of rows, and the same as an FQL table over the rows themselves. */
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

  /** Where the column stands; undefined for one that there is not. */
  place(name: string): number | undefined {
    return this.#places.get(name);
  }

  /** Why `name` is no column, for a message. */
  unknown(name: string): string {
    const known = nearest(name, [...this.#places.keys()]);
    return `unknown column ${name}${known === undefined ? "" : `; did you mean ${known}?`}`;
  }
}

/** A list of values is a record to FQL as an object is: its members are named by their places. */
export const asRecord = (row: Row): FilterRecord => row as unknown as FilterRecord;

/** The values of one column of a row, in the form that compares. */
export function comparable(frame: Frame, row: Row, column: number) {
  const found = frame.columns[column];
  const field = found === undefined ? undefined : frame.fields[found.name];
  return field === undefined ? [] : fieldValues(asRecord(row), "", field);
}

/** A column holds its value as it is: nothing is looked up or computed any more. */
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
