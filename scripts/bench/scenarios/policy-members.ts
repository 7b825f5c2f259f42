import { join } from "node:path";
import type { Scenario, BenchRun } from "../scenario.ts";
import { median, type Result } from "../measure.ts";
import { openTenant, start, type Platform } from "../platform.ts";

const hostCount = 100_000;
/** As many groups as policies; the last group contains a third of all hosts. */
const groupCount = 20;
const rounds = 15;
const targetMilliseconds = 50;
const policies = "/policy/entities/prevention/v1";
const actions = "/policy/entities/prevention-actions/v1";
const members = "/policy/combined/prevention-members/v1";

export const preventionScenarios: readonly Scenario[] = [
  { name: "members of a prevention policy", run: membersOfPolicy },
];

/** First pages with totals over HTTP, for policies with nineteen policies before them. */
async function membersOfPolicy({ folder, scale }: BenchRun): Promise<readonly Result[]> {
  const count = Math.round(hostCount * scale);
  const databaseUrl = `sqlite:${join(folder, "prevention.sqlite")}`;
  const scopes = ["prevention-policies:read", "prevention-policies:write"];
  const tenant = await openTenant(databaseUrl, scopes);
  const { store, load } = tenant;
  await load("host-groups", groups());
  await load("hosts", hosts(count));
  const platform = await start(tenant);
  const assigned = await assignedPolicies(platform);
  const results: Result[] = [];
  for (const [name, id] of assigned) {
    const kept: number[] = [];
    const fresh: number[] = [];
    let total = "";
    for (let round = 0; round < rounds; round += 1) {
      // Another host has reported, so totals are counted again.
      await load("hosts", [host(0, new Date())], true);
      const first = await timed(platform, id);
      fresh.push(first.milliseconds);
      total = first.total;
      kept.push((await timed(platform, id)).milliseconds);
    }
    for (const [when, times] of [
      ["total counted again", fresh],
      ["total known", kept],
    ] as const) {
      const ratio = median(times);
      results.push({
        name: `first page of ${name} among ${count} hosts, milliseconds, ${when}`,
        figure: `${ratio.toFixed(1)} ms of ${total} hosts`,
        ratio,
        target: targetMilliseconds,
        targetIs: "at most",
      });
    }
  }
  await platform.stop();
  await store.close();
  return results;
}

const hex = (number: number, digit: string): string => number.toString(16).padStart(32, digit);

function* groups(): Iterable<object> {
  for (let number = 0; number < groupCount; number += 1) {
    const rule = number === groupCount - 1 ? "tags:'ring-0'" : `tags:'site-${number}'`;
    yield {
      id: hex(number, "a"),
      name: `Group ${number}`,
      group_type: "dynamic",
      assignment_rule: rule,
    };
  }
}

function* hosts(count: number): Iterable<object> {
  const now = new Date();
  for (let number = 0; number < count; number += 1) yield host(number, now);
}

const host = (number: number, seen: Date): object => ({
  device_id: hex(number, "0"),
  hostname: `HOST-${number}`,
  platform_name: (["Windows", "Windows", "Windows", "Mac", "Linux"] as const)[number % 5],
  tags: [`site-${number % 40}`, `ring-${number % 3}`],
  last_seen: seen.toISOString(),
  local_ip: `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`,
  os_version: "Windows 11",
  agent_version: "7.28.19811.0",
  product_type_desc: "Workstation",
});

/** Creates one enabled policy for each group; returns the measured ones by name. */
async function assignedPolicies(
  platform: Platform,
): Promise<readonly (readonly [string, string])[]> {
  const inputs = Array.from({ length: groupCount }, (_none, number) => ({
    name: `Policy ${number}`,
    platform_name: "Windows",
  }));
  const ids = idsIn(await send(platform, policies, { resources: inputs }));
  for (const [number, id] of ids.entries()) {
    const body = { ids: [id], group_id: hex(number, "a") };
    await send(platform, `${actions}?action_name=add-host-group`, body);
  }
  await send(platform, `${actions}?action_name=enable`, { ids });
  const filter = encodeURIComponent("platform_name:'Windows'+name:'platform_default'");
  const response = await fetch(`${platform.url}/policy/combined/prevention/v1?filter=${filter}`, {
    headers: platform.headers,
  });
  const [standard] = idsIn(await response.json());
  return [
    ["a policy", ids.at(-3) ?? ""],
    ["a policy with a large group", ids.at(-1) ?? ""],
    ["the default policy", standard ?? ""],
  ];
}

const idsIn = (records: unknown): readonly string[] =>
  (records as readonly { readonly id: string }[]).map(({ id }) => id);

async function send(platform: Platform, path: string, body: object): Promise<unknown> {
  const response = await fetch(platform.url + path, {
    method: "POST",
    headers: { ...platform.headers, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${response.status} from ${path}: ${await response.text()}`);
  return response.json();
}

async function timed(
  platform: Platform,
  id: string,
): Promise<{ readonly milliseconds: number; readonly total: string }> {
  const started = performance.now();
  const response = await fetch(`${platform.url}${members}?id=${id}`, { headers: platform.headers });
  await response.arrayBuffer();
  const milliseconds = performance.now() - started;
  if (!response.ok) throw new Error(`${response.status} from ${members}`);
  return { milliseconds, total: response.headers.get("x-total-count") ?? "" };
}
