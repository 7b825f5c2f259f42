import { runContractTests, textReport, type RunOptions } from "@security-platform/contract-tests";
import { expect } from "vitest";
import { grantToken } from "../../src/access/tokens.ts";
import { defaultLimits } from "../../src/foundation/config.ts";
import { importRecords } from "../../src/imports/index.ts";
import { startTestApi, type TestApi } from "./api.ts";
import { clientDecoders } from "./client-models.ts";
import { casesWithEvidence } from "./contract-cases.ts";
import { offeredFiles } from "./contract-downloads.ts";
import { tenantGroupsAndAdministrators } from "./contract-groups.ts";
import { doneExports } from "./contract-exports.ts";
import { hiddenFromUser } from "./contract-hidden.ts";
import { filesOfHosts } from "./contract-host-files.ts";
import { administratorAndInvitations } from "./contract-users.ts";
import { watchedHosts } from "./contract-identities.ts";
import type { Engine } from "./engines.ts";
import { days } from "./manual-clock.ts";

const executions = Array.from({ length: 12 }, (_, index) => {
  const device = (index % 3).toString(16).padStart(32, "d");
  return {
    id: `pid:${device}:${1_000 + index}`,
    device_id: device,
    sha256: "a".repeat(64),
    md5: "b".repeat(32),
    domains: ["contract.example"],
    ip_addresses: ["203.0.113.9", "2001:db8::9"],
    file_name: "contract.exe",
    command_line: "contract.exe --run",
    started_on: "2026-02-28T10:00:00Z",
  };
});

const hosts = Array.from({ length: 12 }, (_, index) => ({
  device_id: index.toString(16).padStart(32, "e"),
  hostname: `contract-${index}`,
  platform_name: ["Windows", "Mac", "Linux"][index % 3],
  last_seen: `2026-02-${10 + index}T10:00:00Z`,
}));

async function importedHosts({ store, tenant: { cid }, clock }: TestApi) {
  const lines = hosts.map((host) => JSON.stringify(host));
  const imported = await importRecords(store, { cid, kind: "hosts", lines, clock });
  expect(imported).toMatchObject({ imported: hosts.length, rejected: 0 });
  return hosts;
}

/** The same server; its lists are read without `compat`. */
const withoutEnvelopes = (api: TestApi): TestApi => ({
  ...api,
  request: async <Body>(...parameters: Parameters<TestApi["request"]>) => {
    const answer = await api.request<{ readonly resources?: Body }>(...parameters);
    return { ...answer, body: answer.body.resources as Body };
  },
});

/** A token of the first tenant whose lifetime is over. */
async function tokenThatExpired({ store, clock, client }: TestApi): Promise<string> {
  const { client_id: clientId, client_secret: secret } = client;
  const yesterday = { now: () => new Date(clock.now().getTime() - days(1)) };
  const { tokenSeconds } = defaultLimits;
  const granted = await grantToken(store, yesterday, tokenSeconds, { clientId, secret });
  return granted.access_token;
}

/** Milliseconds; thousands of requests take a busy machine longer than any other test. */
export const slowest = 1_200_000;

/**
 * The cases that differ with `serve --compat`: successes, which are Envelopes, and what existing
 * clients send. Refusals are the same in both modes.
 */
export const ofExistingClients = {
  compat: true,
  include: [/ (2\d\d|404) (answer|compat|envelope|deleted): /],
} as const satisfies Partial<RunOptions>;

type ContractOptions = Pick<RunOptions, "compat" | "include" | "quick"> & {
  /** Number of runs with one seed on the same server. Default: 1. */
  readonly runs?: number;
};

/** Every documented response of every operation is obtained, and the laws hold, in each run. */
export async function runContract(
  engine: Engine,
  { compat = false, include, quick, runs = 1 }: ContractOptions = {},
): Promise<void> {
  let isRunning = false;
  const decoders = clientDecoders();
  const { rtrRoot, ...hostFiles } = filesOfHosts(hosts[0]?.device_id ?? "");
  const api = await startTestApi({
    databaseUrl: await engine.url(),
    catalogue: true,
    config: { development: true, compat, rtrRoot },
    // A busy machine needs long for the largest uploads.
    limits: { requestMilliseconds: slowest },
    // The contract tests check every answer that they receive.
    checksAnswers: () => isRunning,
    ...(compat
      ? { observe: (exchange) => decoders.forEach((decoder) => decoder.observe(exchange)) }
      : {}),
  });
  const other = await api.newTenant("other");
  const imported = await importRecords(api.store, {
    cid: api.tenant.cid,
    kind: "executions",
    lines: executions.map((execution) => JSON.stringify(execution)),
    clock: api.clock,
  });
  expect(imported).toMatchObject({ imported: executions.length, rejected: 0 });
  const knownHosts = await importedHosts(api);
  await watchedHosts(api, knownHosts);
  const bare = compat ? withoutEnvelopes(api) : api;
  const users = await administratorAndInvitations(bare, other);
  const groups = await tenantGroupsAndAdministrators(bare);
  await offeredFiles(api);
  await casesWithEvidence(api);
  const exports = await doneExports(bare);
  const { limitedUser, records: hidden } = await hiddenFromUser(bare);
  const expiredToken = await tokenThatExpired(api);
  isRunning = true;
  const run = () =>
    runContractTests({
      baseUrl: api.url,
      credentials: { clientId: api.client.client_id, clientSecret: api.client.client_secret },
      otherTenant: {
        clientId: other.client.client_id,
        clientSecret: other.client.client_secret,
      },
      limitedUser,
      expiredToken,
      faults: api.url,
      // Everything else is created, or looked up if no operation creates it.
      knownRecords: { ...users, ...groups, ...hostFiles, ...hidden, exports },
      companion: true,
      compat,
      include,
      quick,
      allowWrites: true,
      strictHeaders: true,
      // `npm run contract` runs all of them.
      sample: 0.04,
      seed: "npm test",
      requireAll: true,
      timeoutMilliseconds: 120_000,
    });
  for (let number = 1; number < runs; number += 1) {
    const earlier = await run();
    expect(earlier.ok, textReport(earlier)).toBe(true);
  }
  const report = await run();
  const text = textReport(report);
  const summary = text.replaceAll(/^not obtained: .*: left out by the selection\n/gm, "");
  process.stdout.write(`contract tests on ${engine.name}:\n${summary}`);
  expect(report.ok, text).toBe(true);
  expect(report.failed + report.notRun, text).toBe(0);
  if (compat) {
    expect(decoders.flatMap(({ problems }) => problems)).toEqual([]);
    // A part of the cases does not reach every operation.
    const isWhole = ofExistingClients.include.every((each) => include?.includes(each) === true);
    const missed = decoders.flatMap(({ operations, decoded }) =>
      operations.filter((id) => !decoded.has(id)),
    );
    if (isWhole) expect(missed).toEqual([]);
  }
  if (include === undefined) expect(report.coverage.covered).toBe(report.coverage.total);
}
