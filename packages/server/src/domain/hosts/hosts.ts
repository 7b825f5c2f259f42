import { fqlTables, type components } from "@security-platform/spec";
import type { Resource } from "../../store/types.ts";

/** As served. `groups` and `group_hash` follow from the host groups and are always up to date. */
export type Host = components["schemas"]["HostMember"];

/** Machines with a sensor. They come by import only. */
export const hosts: Resource<Host> = {
  name: "hosts",
  collection: "inventory",
  fields: fqlTables.hosts.fields,
  id: "device_id",
  indexes: ["device_id", "hostname", "platform_name", "last_seen", "first_seen", "local_ip"],
};
