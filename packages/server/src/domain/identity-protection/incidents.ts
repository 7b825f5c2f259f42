import type { Resource } from "../../store/types.ts";
import type { Severity } from "./entities.ts";

export interface Incident {
  readonly incidentId: string;
  readonly type: string;
  readonly severity: Severity;
  readonly state: "NEW" | "IN_PROGRESS" | "RESOLVED";
  readonly startTime: string;
  readonly endTime?: string;
  /** Ids of entities, whether there are such or not. */
  readonly compromisedEntities: readonly string[];
}

/** What compromises identities. They come by import only. */
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
