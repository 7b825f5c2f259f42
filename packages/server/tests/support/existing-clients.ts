import { hosts } from "../../src/inventory/hosts.ts";
import type { TestApi } from "./api.ts";

export interface Envelope {
  readonly meta: { readonly pagination?: Readonly<Record<string, unknown>> };
  readonly resources: readonly Readonly<Record<string, unknown>>[];
  readonly errors: readonly { readonly code: number; readonly message: string }[];
}

export const indicatorsPath = "/iocs/entities/indicators/v1";
export const combinedPath = "/iocs/combined/indicator/v1";
export const policiesPath = "/policy/entities/prevention/v1";

/** An indicator as Go writes it without omitempty: every member that the caller did not set is null or empty. */
export const fromGo = (value: string, more: object = {}) => ({
  action: "detect",
  applied_globally: true,
  description: "",
  expiration: null,
  filename: null,
  host_groups: null,
  metadata: null,
  mobile_action: null,
  platforms: ["windows"],
  severity: "high",
  source: "",
  tags: null,
  type: "domain",
  value,
  ...more,
});

/** Stores a host named `kiosk` in the tenant, and returns its device id. */
export async function storedKiosk(api: TestApi): Promise<string> {
  const { cid } = api.tenant;
  const device_id = cid.replace(/^./, "d");
  const kiosk = { cid, device_id, hostname: "kiosk", platform_name: "Linux" as const };
  await api.store.write(cid, (transaction) =>
    transaction.records(hosts).put([kiosk], api.clock.now()),
  );
  return device_id;
}
