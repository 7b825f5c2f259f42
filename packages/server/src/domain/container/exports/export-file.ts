import type { SortKey } from "@security-platform/fql";
import { csvLine, type Cell } from "../../../reports/csv.ts";
import type { RecordText } from "../../../store/index.ts";
import type { ExportFormat } from "./export-jobs.ts";
import type { ExportedResource } from "./exported-resources.ts";
import type { Reading } from "./reading.ts";
import { sortRows } from "./sort-rows.ts";

/** A part of a file, and the number of rows written up to its end. */
interface FilePart {
  readonly bytes: Uint8Array;
  readonly rows: number;
}

/** Serialises rows in one format. */
interface Encoding {
  readonly head: string;
  /** The text of a batch. `first`: whether it is the first batch. */
  readonly rows: (texts: readonly RecordText[], first: boolean) => string;
  readonly tail: string;
}

/** The file of an export, part by part. `exported` is null if there are no records. */
export async function* exportFile(
  exported: ExportedResource | null,
  reading: Reading,
  sort: readonly SortKey[],
  format: ExportFormat,
): AsyncGenerator<FilePart> {
  const encoding = format === "csv" ? csvOf(exported?.columns ?? []) : json;
  let rows = 0;
  yield { bytes: Buffer.from(encoding.head), rows };
  if (exported !== null) {
    const { finish } = exported;
    const batches = exported.rows(reading);
    const sorted =
      sort.length === 0 ? batches : sortRows(batches, sort, exported.fields, reading.blobs);
    for await (const batch of sorted) {
      const texts = finish === undefined ? batch : batch.map(finish);
      const text = encoding.rows(texts, rows === 0);
      rows += texts.length;
      yield { bytes: Buffer.from(text), rows };
    }
  }
  yield { bytes: Buffer.from(encoding.tail), rows };
}

function csvOf(columns: readonly string[]): Encoding {
  const cells = columns.map(readerOf);
  return {
    head: columns.length === 0 ? "" : csvLine(columns),
    rows: (texts) =>
      texts
        .map((text) => JSON.parse(text) as Row)
        .map((row) => csvLine(cells.map((read) => read(row))))
        .join(""),
    tail: "",
  };
}

type Row = Readonly<Record<string, Cell>>;

/** Reads a column, such as `severity` or `credential.expired`. */
function readerOf(column: string): (row: Row) => Cell {
  const [first = "", ...path] = column.split(".");
  if (path.length === 0) return (row) => row[first];
  return (row) =>
    path.reduce<unknown>(
      (value, name) => (value as Row | null | undefined)?.[name],
      row[first],
    ) as Cell;
}

/** One row per line. */
const json: Encoding = {
  head: "[\n",
  rows: (texts, first) => `${first ? "" : ",\n"}${texts.join(",\n")}`,
  tail: "\n]\n",
};
