import type { Report, ReportColumn, ReportForm } from "../../reports/report.ts";
import { writeReport } from "../../reports/report.ts";
import type { components } from "@security-platform/spec";
import { filterReader } from "../../records/filters.ts";
import type { Records } from "../../store/index.ts";
import { exclusionFields, expressionNames, type Exclusion } from "./exclusions.ts";

type Schemas = components["schemas"];

const columns: readonly ReportColumn<Exclusion>[] = (
  [
    "id",
    "name",
    "description",
    "comment",
    "pattern_id",
    "pattern_name",
    ...expressionNames,
    "host_groups",
    "applied_globally",
    "detection_json",
    "created_on",
    "created_by",
    "last_modified",
    "modified_by",
  ] as const
).map((name) => [name, (exclusion) => exclusion[name]]);

const form: ReportForm<Exclusion> = {
  noun: "exclusions",
  fileName: "ioa-exclusions",
  otherwise: "page with ss-ioa-exclusions.search.v2",
  columns,
};

/** The report of all exclusions that match the search; 400 beyond the maximum size of a report. */
export function exclusionsReport(
  records: Records<Exclusion>,
  { report_format: format, search = {} }: Schemas["IoaExclusionsReportRequest"],
  now: Date,
): Promise<Report> {
  const reader = filterReader(exclusionFields);
  const predicate = reader.predicate(search.filter, now);
  const sort = reader.sortKeys(search.sort?.trim());
  return writeReport(records, form, { predicate, sort, format, now });
}
