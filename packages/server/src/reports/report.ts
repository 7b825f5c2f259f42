import type { Predicate, SortKey } from "@security-platform/fql";
import { errors } from "../foundation/errors.ts";
import type { Records } from "../store/index.ts";
import { csvLine } from "./csv.ts";
import { pagesOf } from "./pages.ts";

/** Maximum number of rows of a report. Larger results need paging. */
const rowCeiling = 10_000;

export type ReportFormat = "csv" | "json";

/** The description of the reports of one kind of record. */
export interface ReportForm<Record extends object> {
  /** The plural noun for the records in messages. */
  readonly noun: string;
  /** The prefix of the file name. */
  readonly fileName: string;
  /** What to do instead of requesting a report that is too large. */
  readonly otherwise: string;
  readonly columns: readonly ReportColumn<Record>[];
}

export type ReportColumn<Record> = readonly [
  name: string,
  read: (record: Record) => Parameters<typeof csvLine>[0][number],
];

/** The records, their order and the format of a report. */
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
  /** The text of one batch; `first`: it is the first one. */
  readonly rows: (texts: readonly string[], first: boolean) => string;
  readonly tail: string;
}

/** The report of all matching records; 400 if there are more than a report can have. */
export async function writeReport<Record extends object>(
  records: Records<Record>,
  form: ReportForm<Record>,
  { format, ...query }: ReportQuery,
): Promise<Report> {
  const refuseTooMany = (rows: number): void => {
    if (rows <= rowCeiling) return;
    const message = `matches more than ${rowCeiling} ${form.noun}; narrow the filter, or ${form.otherwise}`;
    throw errors.invalidRequest([{ at: "body", message }]);
  };
  refuseTooMany(await records.count(query.predicate, query.now));
  const writing = format === "csv" ? csvOf(form.columns) : json;
  const parts = [writing.head];
  let rows = 0;
  for await (const texts of pagesOf(records, query)) {
    parts.push(writing.rows(texts, rows === 0));
    rows += texts.length;
    // Records may have been added since.
    refuseTooMany(rows);
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
