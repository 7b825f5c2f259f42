import type { TestApi } from "./api.ts";
import { endpoint, have, user, uuid } from "./identities.ts";

/** Identities, which no operation creates, and sensors on existing hosts; returns the sensors. */
export async function watchedHosts(
  api: TestApi,
  hosts: readonly { readonly device_id: string; readonly hostname: string }[],
) {
  const reports = hosts.map(({ device_id }, index) => ({
    device_id,
    status: ["protected", "attention"][index % 2],
    status_causes: index % 2 === 0 ? [] : ["auditing_incomplete"],
    heartbeat_time: 1_770_000_000 + index,
    idp_policy_name: ["Controllers", "Everything"][index % 2],
    kerberos_config: ["enabled", "disabled"][index % 2],
  }));
  await have(api, "sensors", reports);
  await have(api, "identity-entities", [
    user(1, { associations: [{ type: "ENTITY", bindingType: "OWNERSHIP", entityId: uuid(2) }] }),
    endpoint(2),
  ]);
  return hosts.map(({ device_id, hostname }, index) => ({
    device_id,
    hostname,
    ...reports[index],
  }));
}
