import { where } from "@security-platform/fql";
import type { components } from "@security-platform/spec";
import { filterReader } from "../../records/filters.ts";
import type { Records } from "../../store/index.ts";
import { writeReport, type ReportColumn, type ReportForm } from "../../reports/report.ts";
import { indicators, type Indicator } from "./indicators.ts";
import { newestFirst } from "./list.ts";

type Schemas = components["schemas"];
type Search = Schemas["IndicatorsReportSearch"];

const columns: readonly ReportColumn<Indicator>[] = [
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

const form: ReportForm<Indicator> = {
  noun: "indicators",
  fileName: "indicators",
  otherwise: "page with indicator.combined.v1",
  columns,
};

/** A report of all indicators that match the search; 400 beyond the maximum size of a report. */
export function indicatorsReport(
  records: Records<Indicator>,
  search: Search,
  format: Schemas["IndicatorsReportFormat"],
  now: Date,
): Promise<Schemas["IndicatorsReport"]> {
  const reader = filterReader(indicators.fields);
  const predicates = [search.filter, search.query].map((text) => reader.predicate(text, now));
  const predicate = where.all(...predicates);
  const sort = reader.sortKeys(search.sort?.trim() ? search.sort : newestFirst);
  return writeReport(records, form, { predicate, sort, format, now });
}
