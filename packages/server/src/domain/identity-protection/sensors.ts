import { fqlTables, type components } from "@security-platform/spec";
import type { Reaction, Resource } from "../../store/index.ts";
import type { Host } from "../../inventory/hosts.ts";

export type Sensor = components["schemas"]["IdentitySensor"];

/** The name of a record in messages. */
export const sensorNoun = "sensor";

/**
 * Sensors of identity protection. Imports create them; members that come from the host are updated with the
 * host.
 */
export const sensors: Resource<Sensor> = {
  name: "sensors",
  collection: "identity_protection",
  fields: fqlTables.sensors.fields,
  id: "device_id",
  indexes: ["device_id", "hostname", "status", "heartbeat_time"],
};

/** Members of a sensor that do not come from its host. */
export type SensorReport = Omit<Sensor, "cid" | (typeof ofHost)[number]>;

const ofHost = ["hostname", "machine_domain", "local_ip", "os_version", "agent_version"] as const;
const order = [
  "status",
  "status_causes",
  "heartbeat_time",
  "idp_policy_id",
  "idp_policy_name",
  "ti_enabled",
  "new_enforcement_mode",
  "directory_auditing",
  "group_policy_object",
  "kerberos_config",
  "ldap_config",
  "ldaps_config",
  "ntlm_config",
  "rdp_to_dc_config",
  "smb_to_dc_config",
] as const satisfies readonly (keyof SensorReport)[];

/** Builds the sensor of a host, with ordered members. */
export function sensorOf(host: Host, report: SensorReport): Sensor {
  const { device_id, cid } = host;
  return { device_id, cid, ...picked(host, ofHost), ...picked(report, order) } as Sensor;
}

const picked = <Record extends object, Name extends keyof Record>(
  record: Record,
  names: readonly Name[],
): Partial<Pick<Record, Name>> =>
  Object.fromEntries(
    names.flatMap((name) =>
      record[name] === undefined || record[name] === "" ? [] : [[name, record[name]]],
    ),
  ) as Partial<Pick<Record, Name>>;

/** Updates the sensors of changed hosts, because sensors contain members of their hosts. */
export const refreshSensors: Reaction<Host> = {
  run: async (transaction, changes, now) => {
    const changed = changes.flatMap(({ before, after }) =>
      before !== null && after !== null && ofHost.some((name) => before[name] !== after[name])
        ? after
        : [],
    );
    if (changed.length === 0) return;
    const records = transaction.records(sensors);
    const stored = await records.getForUpdate(changed.map(({ device_id }) => device_id));
    const updated = changed.flatMap((host) => {
      const sensor = stored.get(host.device_id);
      return sensor === undefined ? [] : sensorOf(host, sensor);
    });
    if (updated.length > 0) await records.replace(updated, now);
  },
};
