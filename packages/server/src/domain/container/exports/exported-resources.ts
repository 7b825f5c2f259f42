import { where, type Fields, type Predicate } from "@security-platform/fql";
import { fqlTables } from "@security-platform/spec";
import { pagesOf } from "../../../reports/pages.ts";
import type { RecordText, Resource } from "../../../store/index.ts";
import { imagePolicies } from "../image-policies/image-policies.ts";
import { registries } from "../registries/registries.ts";
import { detectionRows, packageRows, vulnerabilityRows } from "../scans/rows.ts";
import { scans } from "../scans/scans.ts";
import { expandedColumns } from "../scans/expand-image.ts";
import { expandImages } from "./expanded-images.ts";
import type { ExportRequest, ExportResourceName } from "./export-jobs.ts";
import type { Reading, RowBatches } from "./reading.ts";
import { groupByVulnerability, groupColumns, withoutFirstRow } from "./vulnerability-groups.ts";

/** What an export of a resource contains. */
export interface ExportedResource {
  /** The fields to filter and sort by. */
  readonly fields: Fields;
  /** The members of rows that CSV shows, in order. */
  readonly columns: readonly string[];
  /** JSON texts of the matching rows, in any order. */
  readonly rows: (reading: Reading) => RowBatches;
  /** Removes members that are used only for sorting. */
  readonly finish?: (text: RecordText) => RecordText;
}

/** Exports the records of a resource as they are stored. */
function stored<Record extends object>(
  resource: Resource<Record>,
  fields: Fields,
  condition: Predicate = where.everything,
): ExportedResource {
  return {
    fields,
    columns: Object.keys(fields).filter((name) => fields[name]?.derive === undefined),
    rows: ({ store, cid, predicate, now }) =>
      pagesOf(store.records(resource, { cid }), {
        predicate: where.all(condition, predicate),
        now,
      }),
  };
}

const newest = where.equal("newest", true);
const images = stored(scans, fqlTables["images.images-assessment"].fields, newest);
const vulnerabilities = stored(vulnerabilityRows, fqlTables["images.vulnerabilities"].fields);
const detections = stored(detectionRows, fqlTables["images.images-detections"].fields);

/** The resources that have records on this platform. */
const exported: { readonly [Name in ExportResourceName]?: ExportedResource } = {
  "images.images-assessment": images,
  "images.images-assessment-expanded": {
    ...images,
    columns: [...images.columns, ...expandedColumns],
    rows: (reading) =>
      expandImages({ ...reading, predicate: where.all(newest, reading.predicate) }),
  },
  "images.images-assessment-vulnerabilities-expanded": vulnerabilities,
  "images.images-assessment-detections-expanded": detections,
  "images.images-detections": detections,
  "images.packages": stored(packageRows, fqlTables["images.packages"].fields),
  "images.registries": stored(registries, fqlTables["images.registries"].fields),
  "images.vulnerabilities": {
    ...vulnerabilities,
    columns: groupColumns,
    rows: groupByVulnerability,
    finish: withoutFirstRow,
  },
  "policies.image-prevention": stored(imagePolicies, fqlTables["policies.image-prevention"].fields),
};

/** Null for a resource without records on this platform. */
export function exportedResource({
  resource,
  expand_vulnerabilities = false,
}: ExportRequest): ExportedResource | null {
  if (resource === "images.vulnerabilities" && expand_vulnerabilities) return vulnerabilities;
  return exported[resource] ?? null;
}
