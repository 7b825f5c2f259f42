import type { Client } from "@security-platform/client";

/** Maximum number of ids in one request. */
const deletedAtOnce = 200;

/** What a synchronization changed. */
export interface Result {
  readonly created: number;
  readonly deleted: number;
}

/** Makes the indicators of a source those of a list of domains. They expire 30 days after the last publication. */
export async function publishBlocklist(
  client: Client,
  source: string,
  domains: readonly string[],
  now: Date,
): Promise<Result> {
  const known = new Map<string, string>();
  for await (const { id, value } of client.ioc.listIndicators({ filter: `source:'${source}'` })) {
    known.set(value, id);
  }
  const expiration = new Date(now.getTime() + 30 * 86_400_000).toISOString();
  const wanted = new Set(domains);
  const missing = [...wanted].filter((domain) => !known.has(domain));
  const kept = [...known].filter(([value]) => wanted.has(value)).map(([, id]) => id);
  const gone = [...known].filter(([value]) => !wanted.has(value)).map(([, id]) => id);
  // An indicator that has expired has lost its action.
  const renewals = kept.map((id) => ({ id, action: "detect" as const, expiration }));
  for await (const { error } of client.ioc.updateIndicators.inBatches(renewals)) {
    if (error !== undefined) throw error;
  }
  const indicators = missing.map((value) => ({
    type: "domain" as const,
    value,
    source,
    action: "detect" as const,
    severity: "high" as const,
    platforms: ["linux", "mac", "windows"] as const,
    applied_globally: true,
    expiration,
  }));
  for await (const { error } of client.ioc.createIndicators.inBatches(indicators)) {
    if (error !== undefined) throw error;
  }
  for (let start = 0; start < gone.length; start += deletedAtOnce) {
    await client.ioc.deleteIndicators({ ids: gone.slice(start, start + deletedAtOnce) });
  }
  return { created: missing.length, deleted: gone.length };
}
