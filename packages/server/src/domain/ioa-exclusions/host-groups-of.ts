import type { Store } from "../../store/index.ts";
import { hosts, type Host } from "../../inventory/hosts.ts";

/** The groups of a host; null for an unknown host. */
export async function hostGroupsOf(
  store: Store,
  cid: string,
  deviceId: string,
  now: Date,
): Promise<readonly string[] | null> {
  const hostTexts = await store.records(hosts, { cid }).get([deviceId], now);
  const text = hostTexts.get(deviceId);
  return text === undefined ? null : ((JSON.parse(text) as Host).groups ?? []);
}
