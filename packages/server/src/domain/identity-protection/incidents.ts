import type { Resource } from "../../store/index.ts";
import type { Severity } from "./entities.ts";

export interface Incident {
  readonly incidentId: string;
  readonly type: string;
  readonly severity: Severity;
  readonly state: "NEW" | "IN_PROGRESS" | "RESOLVED";
  readonly startTime: string;
  readonly endTime?: string;
  /** Ids of entities. The entities need not exist. */
  readonly compromisedEntities: readonly string[];
}

/** Incidents that compromise identities. Only imports create them. */
export const incidents: Resource<Incident> = {
  name: "identity_incidents",
  collection: "identity_protection",
  fields: {
    type: { type: "string" },
    severity: { type: "string" },
    state: { type: "string" },
    startTime: { type: "timestamp", sortable: true },
    compromisedEntities: { type: "string", array: true },
  },
  id: "incidentId",
  indexes: ["startTime"],
};
