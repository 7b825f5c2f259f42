import type { Predicate } from "@security-platform/fql";
import type { components } from "@security-platform/spec";
import { errors } from "../../../errors.ts";
import { filterReader } from "../../../records/filters.ts";
import type { Position, Records } from "../../../store/types.ts";
import { indicators, type Indicator } from "../indicators.ts";
import { newestFirst } from "../list.ts";
import { csvLine } from "./csv.ts";

type Schemas = components["schemas"];
type Search = Schemas["IndicatorsReportSearch"];

/** A report has no more rows than this; a larger one is for paging. */
const rowCeiling = 10_000;
const batch = 2_000;

const columns: readonly (readonly [
  string,
  (indicator: Indicator) => Parameters<typeof csvLine>[0][number],
])[] = [
  ["id", ({ id }) => id],
  ["type", ({ type }) => type],
  ["value", ({ value }) => value],
  ["action", ({ action }) => action],
  ["mobile_action", ({ mobile_action }) => mobile_action],
  ["severity", ({ severity }) => severity],
  ["source", ({ source }) => source],
  ["description", ({ description }) => description],
  ["platforms", ({ platforms }) => platforms],
  ["tags", ({ tags }) => tags],
  ["host_groups", ({ host_groups }) => host_groups],
  ["applied_globally", ({ applied_globally }) => applied_globally],
  ["expiration", ({ expiration }) => expiration],
  ["expired", ({ expired }) => expired],
  ["deleted", ({ deleted }) => deleted],
  ["from_parent", ({ from_parent }) => from_parent],
  ["parent_cid_name", ({ parent_cid_name }) => parent_cid_name],
  ["metadata.filename", ({ metadata }) => metadata.filename],
  ["metadata.av_hits", ({ metadata }) => metadata.av_hits],
  ["created_by", ({ created_by }) => created_by],
  ["created_on", ({ created_on }) => created_on],
  ["modified_by", ({ modified_by }) => modified_by],
  ["modified_on", ({ modified_on }) => modified_on],
];

interface Format {
  readonly contentType: Schemas["IndicatorsReport"]["content_type"];
  readonly head: string;
  /** The text of one batch; `first`: nothing was written before it. */
  readonly rows: (texts: readonly string[], first: boolean) => string;
  readonly tail: string;
}

const formats: Readonly<Record<Schemas["IndicatorsReportFormat"], Format>> = {
  csv: {
    contentType: "text/csv",
    head: csvLine(columns.map(([name]) => name)),
    rows: (texts) =>
      texts
        .map((text) => JSON.parse(text) as Indicator)
        .map((indicator) => csvLine(columns.map(([, read]) => read(indicator))))
        .join(""),
    tail: "",
  },
  json: {
    contentType: "application/json",
    head: "[",
    rows: (texts, first) => `${first || texts.length === 0 ? "" : ","}${texts.join(",")}`,
    tail: "]",
  },
};

/** The report of everything that the search finds; 400 when that is more than a report holds. */
export async function indicatorsReport(
  records: Records<Indicator>,
  search: Search,
  name: Schemas["IndicatorsReportFormat"],
  now: Date,
): Promise<Schemas["IndicatorsReport"]> {
  const format = formats[name];
  const parts = [format.head];
  let rows = 0;
  for await (const texts of pages(records, search, now)) {
    parts.push(format.rows(texts, rows === 0));
    rows += texts.length;
    if (rows > rowCeiling) {
      throw errors.invalidRequest([
        {
          at: "body",
          message: `finds more than ${rowCeiling} indicators; narrow the filter, or page with indicator.combined.v1`,
        },
      ]);
    }
  }
  parts.push(format.tail);
  const instant = now.toISOString().replaceAll(/[-:]|\.\d+/g, "");
  return {
    report_format: name,
    content_type: format.contentType,
    file_name: `indicators-${instant}.${name}`,
    row_count: rows,
    content: parts.join(""),
  };
}

async function* pages(records: Records<Indicator>, search: Search, now: Date) {
  const reader = filterReader(indicators.fields);
  const predicates = [search.filter, search.query].map((text) => reader.predicate(text, now));
  const predicate: Predicate = { kind: "and", operands: predicates };
  const sort = reader.sortKeys(search.sort?.trim() ? search.sort : newestFirst);
  const query = { predicate, sort, limit: batch, shape: "records", now } as const;
  let after: Position | undefined;
  do {
    const page = await records.page(after === undefined ? query : { ...query, after });
    yield page.items;
    after = page.next;
  } while (after !== undefined);
}
