import type { Predicate, SortKey } from "@security-platform/fql";
import { errors } from "../errors.ts";
import type { Position, Records } from "../store/types.ts";
import { csvLine } from "./csv.ts";

/** A report has no more rows than this; a larger one is for paging. */
const rowCeiling = 10_000;
const batch = 2_000;

export type ReportFormat = "csv" | "json";

/** What the reports of one kind of record look like. */
export interface ReportForm<Record extends object> {
  /** The records in the plural, in messages. */
  readonly noun: string;
  /** Begins the name of the file. */
  readonly fileName: string;
  /** What to do instead of asking for too large a report. */
  readonly otherwise: string;
  readonly columns: readonly ReportColumn<Record>[];
}

export type ReportColumn<Record> = readonly [
  name: string,
  read: (record: Record) => Parameters<typeof csvLine>[0][number],
];

/** Which records, in which order, in which form. */
export interface ReportQuery {
  readonly predicate: Predicate;
  readonly sort: readonly SortKey[];
  readonly format: ReportFormat;
  readonly now: Date;
}

export interface Report {
  readonly report_format: ReportFormat;
  readonly content_type: "text/csv" | "application/json";
  readonly file_name: string;
  readonly row_count: number;
  readonly content: string;
}

interface Writing {
  readonly contentType: Report["content_type"];
  readonly head: string;
  /** The text of one batch; `first`: nothing was written before it. */
  readonly rows: (texts: readonly string[], first: boolean) => string;
  readonly tail: string;
}

/** The report of everything that the query finds; 400 when that is more than a report holds. */
export async function writeReport<Record extends object>(
  records: Records<Record>,
  form: ReportForm<Record>,
  { format, ...query }: ReportQuery,
): Promise<Report> {
  const writing = format === "csv" ? csvOf(form.columns) : json;
  const parts = [writing.head];
  let rows = 0;
  for await (const texts of pages(records, query)) {
    parts.push(writing.rows(texts, rows === 0));
    rows += texts.length;
    if (rows > rowCeiling) {
      const message = `finds more than ${rowCeiling} ${form.noun}; narrow the filter, or ${form.otherwise}`;
      throw errors.invalidRequest([{ at: "body", message }]);
    }
  }
  parts.push(writing.tail);
  const instant = query.now.toISOString().replaceAll(/[-:]|\.\d+/g, "");
  return {
    report_format: format,
    content_type: writing.contentType,
    file_name: `${form.fileName}-${instant}.${format}`,
    row_count: rows,
    content: parts.join(""),
  };
}

const csvOf = <Record extends object>(columns: readonly ReportColumn<Record>[]): Writing => ({
  contentType: "text/csv",
  head: csvLine(columns.map(([name]) => name)),
  rows: (texts) =>
    texts
      .map((text) => JSON.parse(text) as Record)
      .map((record) => csvLine(columns.map(([, read]) => read(record))))
      .join(""),
  tail: "",
});

const json: Writing = {
  contentType: "application/json",
  head: "[",
  rows: (texts, first) => `${first || texts.length === 0 ? "" : ","}${texts.join(",")}`,
  tail: "]",
};

async function* pages<Record extends object>(
  records: Records<Record>,
  { predicate, sort, now }: Omit<ReportQuery, "format">,
) {
  const query = { predicate, sort, limit: batch, shape: "records", now } as const;
  let after: Position | undefined;
  do {
    const page = await records.page(after === undefined ? query : { ...query, after });
    yield page.items;
    after = page.next;
  } while (after !== undefined);
}
