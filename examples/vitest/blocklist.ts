import type { Client } from "@security-platform/client";

/** What a synchronization changed. */
export interface Result {
  readonly created: number;
  readonly deleted: number;
}

/** Makes the indicators of a source those of a list of domains. They expire in 30 days unless they are renewed. */
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
  const missing = domains.filter((domain) => !known.has(domain));
  const gone = [...known].filter(([value]) => !domains.includes(value)).map(([, id]) => id);
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
  if (gone.length > 0) await client.ioc.deleteIndicators({ ids: gone });
  return { created: missing.length, deleted: gone.length };
}
