import { incidents, type Incident } from "../domain/identity-protection/incidents.ts";
import type { Importer } from "./kind.ts";

type Line = Omit<Incident, "state"> & Partial<Pick<Incident, "state">>;

/** Imports identity incidents, one per line. */
export const identityIncidentImporter: Importer<Line, Incident> = {
  resource: incidents,
  read: (line) => {
    const { state = "NEW", startTime, endTime } = line;
    if (endTime !== undefined && endTime < startTime) {
      return { problems: [{ at: "endTime", message: `is before startTime, ${startTime}` }] };
    }
    return { record: { ...line, state } };
  },
};
