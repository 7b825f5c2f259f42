import { incidents, type Incident } from "../domain/identity-protection/incidents.ts";
import { timestampOr } from "./history.ts";
import type { Importer } from "./kind.ts";

type Line = Omit<Incident, "state"> & Partial<Pick<Incident, "state">>;

/** Imports identity incidents, one per line. */
export const identityIncidentImporter: Importer<Line, Incident> = {
  resource: incidents,
  read: (line) => {
    const { state = "NEW", endTime } = line;
    const startTime = timestampOr(line.startTime, line.startTime);
    if (endTime === undefined) return { record: { ...line, state, startTime } };
    const end = timestampOr(endTime, endTime);
    if (end < startTime) {
      return { problems: [{ at: "endTime", message: `is before startTime, ${startTime}` }] };
    }
    return { record: { ...line, state, startTime, endTime: end } };
  },
};
