import { join } from "node:path";
import type { Scenario, BenchRun } from "../scenario.ts";
import { median, type Result } from "../measure.ts";
import { openTenant, start, type Platform } from "../platform.ts";

const entityCount = 100_000;
const eventsOfEach = 3;
/** As many requests as the tenant's points allow. */
const rounds = 15;
const path = "/identity-protection/combined/graphql/v1";

const page = (first: number, inside: string): string => `{
  entities(first: ${first}, types: [USER], sortKey: RISK_SCORE, sortOrder: DESCENDING) {
    nodes { entityId primaryDisplayName riskScore riskScoreSeverity ${inside} }
    pageInfo { hasNextPage endCursor }
  }
}`;

const queries: readonly (readonly [name: string, target: number, query: string])[] = [
  ["100 riskiest users", 20, page(100, "riskFactors { type severity }")],
  [
    "1,000 riskiest users with what they own",
    200,
    page(1_000, "associations { ... on EntityAssociation { entity { primaryDisplayName } } }"),
  ],
  [
    "10 users by a pattern",
    20,
    `{ entities(first: 10, primaryDisplayNamePattern: "user 99*") { nodes { entityId } } }`,
  ],
  [
    "timeline of a user",
    20,
    `{ timeline(sourceEntityQuery: { entityIds: ["${uuid(1, 0)}"] }) { nodes { eventType } } }`,
  ],
];

export const identityScenarios: readonly Scenario[] = [
  { name: "queries over identities", run: identityQueries },
];

/** GraphQL over HTTP with many identities, each user with a machine. */
async function identityQueries({ folder, scale }: BenchRun): Promise<readonly Result[]> {
  const count = Math.round(entityCount * scale);
  const databaseUrl = `sqlite:${join(folder, "identities.sqlite")}`;
  const tenant = await openTenant(databaseUrl, ["identity-protection-graphql:write"]);
  await tenant.load("identity-entities", entities(count));
  await tenant.load("identity-timeline", events(count));
  const platform = await start(tenant);
  const results: Result[] = [];
  for (const [name, target, query] of queries) {
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) times.push(await timed(platform, query));
    const ratio = median(times);
    results.push({
      name: `${name} among ${count} identities, milliseconds`,
      figure: `${ratio.toFixed(1)} ms`,
      ratio,
      target,
      targetIs: "at most",
    });
  }
  await platform.stop();
  await tenant.store.close();
  return results;
}

function uuid(number: number, kind: number): string {
  return `${kind.toString(16).padStart(8, "0")}-0000-4000-8000-${number.toString(16).padStart(12, "0")}`;
}

function* entities(count: number): Iterable<object> {
  for (let number = 0; number < count; number += 2) {
    yield {
      entityId: uuid(number + 1, 0),
      type: "USER",
      primaryDisplayName: `User ${number}`,
      riskScore: ((number * 7) % 1_000) / 1_000,
      riskFactors: [{ type: "WEAK_PASSWORD", severity: "LOW" }],
      accounts: [
        { type: "ACTIVE_DIRECTORY", domain: "bench.example", samAccountName: `u${number}` },
      ],
      associations: [{ type: "ENTITY", bindingType: "OWNERSHIP", entityId: uuid(number, 0) }],
    };
    yield { entityId: uuid(number, 0), type: "ENDPOINT", primaryDisplayName: `HOST-${number}` };
  }
}

function* events(count: number): Iterable<object> {
  for (let number = 0; number < count * eventsOfEach; number += 1) {
    yield {
      eventId: uuid(number, 1),
      category: "ACTIVITY",
      eventType: "LOGIN_SUCCESSFUL",
      timestamp: new Date(1_770_000_000_000 + number * 1_000).toISOString(),
      sourceEntityId: uuid(number % count, 0),
    };
  }
}

async function timed(platform: Platform, query: string): Promise<number> {
  const started = performance.now();
  const response = await fetch(platform.url + path, {
    method: "POST",
    headers: { ...platform.headers, "content-type": "application/json" },
    body: JSON.stringify({ query }),
  });
  const answer = (await response.json()) as { readonly errors?: unknown };
  const milliseconds = performance.now() - started;
  if (response.ok && answer.errors === undefined) return milliseconds;
  throw new Error(`${response.status} from ${path}: ${JSON.stringify(answer)}`);
}
