import { hosts } from "../inventory/hosts.ts";
import {
  sensorOf,
  sensors,
  type Sensor,
  type SensorReport,
} from "../domain/identity-protection/sensors.ts";
import type { Importer } from "./kind.ts";

type Line = Partial<SensorReport> & Pick<SensorReport, "device_id">;

/** Imports the identity data of hosts, one per line. The other members of a sensor are its host's. */
export const sensorImporter: Importer<Line, Sensor> = {
  resource: sensors,
  read: (line, { cid }) => ({ record: { status_causes: [], ...line, cid } }),
  begin: () => ({
    complete: async (transaction, reports) => {
      const ids = reports.map(({ device_id }) => device_id);
      const hostsById = await transaction.records(hosts).getForUpdate([...new Set(ids)]);
      return reports.map((report) => {
        const host = hostsById.get(report.device_id);
        if (host !== undefined) return { record: sensorOf(host, report) };
        const message = `there is no host ${report.device_id}; import the hosts first`;
        return { problems: [{ at: "device_id", message }] };
      });
    },
  }),
};
