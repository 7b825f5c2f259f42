import type { Fields } from "@security-platform/fql";
import type { components } from "@security-platform/spec";
import type { Resource } from "../../../store/index.ts";

type Schemas = components["schemas"];

/** A tactic or technique of MITRE ATT&CK. */
export interface AttackReference {
  readonly id: string;
  readonly name?: string;
}

/** What an alert or event reports. Members that do not apply are absent. */
export interface EvidenceRecord {
  readonly id: string;
  /** When it happened; RFC 3339 in UTC, three fraction digits. */
  readonly timestamp: string;
  readonly name?: string;
  readonly description?: string;
  /** 1 to 100. */
  readonly severity?: number;
  readonly data_domains?: readonly string[];
  readonly source_vendors?: readonly string[];
  readonly source_products?: readonly string[];
  readonly tactics?: readonly AttackReference[];
  readonly techniques?: readonly AttackReference[];
  readonly hosts?: readonly Partial<Schemas["CaseAnalysisHost"]>[];
  readonly users?: readonly Partial<Schemas["CaseAnalysisUser"]>[];
  readonly files?: readonly Partial<Schemas["CaseAnalysisFile"]>[];
  readonly cloud_assets?: readonly Partial<Schemas["CaseAnalysisCloudAsset"]>[];
  readonly cloud_service_names?: readonly string[];
  readonly processes?: readonly EvidenceProcess[];
  readonly ips?: readonly string[];
}

export interface EvidenceProcess {
  readonly image_file_name?: string;
  readonly command_line?: string;
}

const fields: Fields = {
  id: { type: "string", sortable: true },
  timestamp: { type: "timestamp", sortable: true },
};

const recordsOf = (name: "alerts" | "events"): Resource<EvidenceRecord> => ({
  name,
  collection: "case_management",
  fields,
  id: "id",
  indexes: ["timestamp"],
});

/** Alerts, which only imports create, like events. */
export const alerts = recordsOf("alerts");
export const events = recordsOf("events");
