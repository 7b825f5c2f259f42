import { timelineEvents, type TimelineEvent } from "../domain/identity-protection/timeline.ts";
import type { Importer } from "./kind.ts";

type Line = Omit<TimelineEvent, "eventLabel" | "eventSeverity"> &
  Partial<Pick<TimelineEvent, "eventLabel" | "eventSeverity">>;

/** Members that only some categories have. */
const special = [
  "targetEntityId",
  "accessType",
  "ipAddress",
  "geoLocation",
  "incidentId",
  "ruleId",
  "ruleName",
  "simulated",
  "actor",
] as const satisfies readonly (keyof TimelineEvent)[];

const own: Readonly<Partial<Record<TimelineEvent["category"], readonly string[]>>> = {
  ACTIVITY: ["targetEntityId", "accessType", "ipAddress", "geoLocation"],
  THREAT: ["incidentId"],
  POLICY: ["targetEntityId", "ruleId", "ruleName", "simulated"],
};

/** Imports events of the identity timeline, one per line. */
export const identityTimelineImporter: Importer<Line, TimelineEvent> = {
  resource: timelineEvents,
  read: (line) => {
    const { category, eventType, eventLabel = eventType, eventSeverity = "NORMAL" } = line;
    const may = own[category] ?? ["actor"];
    const foreign = special.filter((name) => line[name] !== undefined && !may.includes(name));
    if (foreign.length > 0) {
      const message = `events of ${category} do not have it`;
      return { problems: foreign.map((at) => ({ at, message })) };
    }
    return {
      record: {
        ...line,
        eventLabel,
        eventSeverity,
        ...(category === "POLICY" ? { simulated: line.simulated ?? false } : {}),
      },
    };
  },
};
