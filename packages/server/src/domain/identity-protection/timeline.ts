import type { Resource } from "../../store/index.ts";
import type { GeoLocation, Severity } from "./entities.ts";

/** The GraphQL schema lists the additional members of each category. */
export interface TimelineEvent {
  readonly eventId: string;
  readonly category:
    "ACTIVITY" | "NOTIFICATION" | "THREAT" | "ENTITY" | "AUDIT" | "POLICY" | "SYSTEM";
  readonly eventType: string;
  readonly eventLabel: string;
  readonly eventSeverity: Severity;
  readonly timestamp: string;
  readonly sourceEntityId?: string;
  readonly targetEntityId?: string;
  readonly accessType?: string;
  readonly ipAddress?: string;
  readonly geoLocation?: GeoLocation;
  readonly incidentId?: string;
  readonly ruleId?: string;
  readonly ruleName?: string;
  readonly simulated?: boolean;
  readonly actor?: string;
}

/** Events of identities. Only imports create them. */
export const timelineEvents: Resource<TimelineEvent> = {
  name: "identity_timeline",
  collection: "identity_protection",
  fields: {
    category: { type: "string" },
    timestamp: { type: "timestamp", sortable: true },
    sourceEntityId: { type: "string", sortable: true, nullable: true },
  },
  id: "eventId",
  indexes: ["timestamp", "sourceEntityId"],
};
