/** An integration as a user writes it: keeps the indicators of a feed in the platform, and reports on images. */
import {
  AuthenticationError,
  createClient,
  filters,
  InvalidRequestError,
  isNotFound,
  PermissionError,
  type Client,
} from "@security-platform/client";
import type { IndicatorInput, IndicatorUpdateInput } from "@security-platform/client/ioc";

interface FeedEntry {
  readonly domain: string;
  readonly severity: "low" | "medium" | "high";
  readonly note?: string;
}

const toIndicator = ({ domain, severity, note }: FeedEntry, source: string): IndicatorInput => ({
  type: "domain",
  value: domain,
  source,
  severity,
  action: "detect",
  ...(note !== undefined && { description: note }),
  platforms: ["windows", "mac", "linux"],
  applied_globally: true,
});

/** Makes the indicators of a source equal to the feed. */
async function sync(client: Client, source: string, feed: readonly FeedEntry[]) {
  const summary = { created: 0, updated: 0, deleted: 0, refused: 0 };
  const added = new Map(feed.map((entry) => [entry.domain, entry]));
  const updates: IndicatorUpdateInput[] = [];
  const gone: string[] = [];
  const filter = filters.indicators.where("source").equals(source);
  for await (const stored of client.ioc.listIndicators({ filter }, { readAhead: true })) {
    const entry = added.get(stored.value);
    added.delete(stored.value);
    if (entry === undefined) gone.push(stored.id);
    else if (entry.severity !== stored.severity || (entry.note ?? "") !== stored.description) {
      const { severity, note = null } = entry;
      updates.push({ id: stored.id, severity, description: note });
    }
  }
  const inputs = [...added.values()].map((entry) => toIndicator(entry, source));
  for await (const { from, to, data, error } of client.ioc.createIndicators.inBatches(inputs, {
    size: 20,
  })) {
    if (data !== undefined) summary.created += data.length;
    else if (error instanceof InvalidRequestError) summary.refused += to - from;
    else throw error;
  }
  for await (const { data, error } of client.ioc.updateIndicators.inBatches(updates)) {
    if (error !== undefined) throw error;
    summary.updated += data.length;
  }
  if (gone.length > 0) {
    const { data } = await client.ioc.deleteIndicators({ ids: gone });
    summary.deleted = data.length;
  }
  return summary;
}

/** The rows of a CSV report on images. */
async function imageReport(client: Client): Promise<readonly string[]> {
  const body = { resource: "images.vulnerabilities", format: "csv", sort: "cve_id" } as const;
  const { data: ids } = await client.container.createExport({ body });
  const { data: job } = await client.container.waitForExport(ids[0] ?? "");
  const { data: file } = await client.container.downloadExport({ id: job.id });
  return (await file.text()).trimEnd().split("\n").slice(1);
}

const source = `feed-${crypto.randomUUID()}`;
const entries = (first: number, last: number, severity: FeedEntry["severity"]): FeedEntry[] =>
  Array.from({ length: last - first }, (_, index) => ({
    domain: `${first + index}.${source}.example`,
    severity,
  }));

await using client = createClient();
try {
  const monday = [...entries(0, 60, "low"), { domain: "no domain", severity: "low" } as const];
  const tuesday = [...entries(10, 30, "high"), ...entries(30, 65, "low")];
  for (const feed of [monday, tuesday, tuesday]) {
    console.log(JSON.stringify(await sync(client, source, feed)));
  }
  console.log("vulnerabilities:", (await imageReport(client)).length > 0);
  await client.ioc.getIndicators({ ids: ["f".repeat(64)] });
} catch (error) {
  if (isNotFound(error, client.ioc.getIndicators)) console.log("missing:", error.missing.length);
  else if (error instanceof AuthenticationError) console.log("check SECPLAT_CLIENT_SECRET");
  else if (error instanceof PermissionError) console.log("missing scope:", error.missingScope);
  else throw error;
}
