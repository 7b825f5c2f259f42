import type { Client } from "@security-platform/client";

/** The maximum of one request. */
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
  if (kept.length > 0) {
    // An indicator that has expired has lost its action.
    const indicators = kept.map((id) => ({ id, action: "detect" as const, expiration }));
    await client.ioc.updateIndicators({ body: { indicators } });
  }
  if (missing.length > 0) {
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
    await client.ioc.createIndicators({ body: { indicators } });
  }
  for (let start = 0; start < gone.length; start += deletedAtOnce) {
    await client.ioc.deleteIndicators({ ids: gone.slice(start, start + deletedAtOnce) });
  }
  return { created: missing.length, deleted: gone.length };
}
