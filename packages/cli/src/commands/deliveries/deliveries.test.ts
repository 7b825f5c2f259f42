import type { Delivery, Job } from "@security-platform/server/internal";
import { beforeEach, expect, test } from "vitest";
import { exitCodes } from "../../terminal/exit-codes.ts";
import { commandLine, type CommandLine } from "../../testing/command-line.ts";
import { storeRecords } from "../../testing/stored-records.ts";

let secplat: CommandLine;
let cid: string;

const caseId = "019cada2-267b-7c41-9b1e-6f0a2d8c4e57";
const failedId = "11111111-1111-4111-8111-111111111111";
const deliveredId = "22222222-2222-4222-8222-222222222222";
const orphanId = "33333333-3333-4333-8333-333333333333";

/** Three messages of one tenant: delivered, failed, and to a deleted group. */
beforeEach(async () => {
  secplat = commandLine();
  ({ cid } = await secplat.json<{ cid: string }>(["tenants", "create", "Acme"]));
  const about = {
    cid,
    case_id: caseId,
    reference_id: "CSE-7",
    group_id: "a".repeat(32),
    group_name: "On-call",
    event: { type: "case.sla.missed" },
  };
  await storeRecords(secplat.folder, { cid, resource: "deliveries" }, [
    {
      ...about,
      id: deliveredId,
      channel: "email",
      target: "on-call@acme.example",
      state: "delivered",
      attempts: [{ at: "2026-03-01T10:00:00.000Z", outcome: "delivered" }],
      created_at: "2026-03-01T10:00:00.000Z",
      delivered_at: "2026-03-01T10:00:00.000Z",
    },
    {
      ...about,
      id: failedId,
      case_id: "019cada2-267b-7c41-9b1e-000000000000",
      channel: "webhook",
      target: "https://hooks.acme.example",
      state: "failed",
      attempts: [
        {
          at: "2026-03-01T11:00:00.000Z",
          outcome: "the receiver responded with \u001b[2J",
          status: 404,
        },
      ],
      created_at: "2026-03-01T11:00:00.000Z",
      settings: { url: "https://hooks.acme.example/x", secret: "never to be shown" },
    },
    {
      ...about,
      id: orphanId,
      channel: null,
      target: "",
      state: "failed",
      attempts: [],
      created_at: "2026-03-01T12:00:00.000Z",
    },
  ]);
});

const listed = async (...options: readonly string[]) =>
  (await secplat.json<readonly Delivery[]>(["deliveries", "list", ...options])).map(({ id }) => id);

test("lists messages, newest first, by state, case and tenant", async () => {
  expect(await listed()).toEqual([orphanId, failedId, deliveredId]);
  expect(await listed("--state", "failed")).toEqual([orphanId, failedId]);
  expect(await listed("--case", caseId)).toEqual([orphanId, deliveredId]);
  expect(await listed("--state", "failed", "--case", caseId, "--limit", "1")).toEqual([orphanId]);
  await secplat(["tenants", "create", "Other"]);
  expect(await listed("--tenant", "Other")).toEqual([]);
  expect(await listed("--tenant", cid, "--limit", "1")).toEqual([orphanId]);
  const { stdout } = await secplat(["deliveries", "list", "--limit", "2"]);
  expect(stdout).toMatch(
    /^ID +CREATED AT +REFERENCE ID +CHANNEL +TARGET +STATE +ATTEMPTS +LAST OUTCOME\n/,
  );
  expect(stdout).toMatch(/CSE-7 +webhook +https:\/\/hooks\.acme\.example +failed +1 +the receiver/);
  expect(stdout).not.toContain("\u001b");
});

test("shows one message, without its secrets", async () => {
  const { stdout } = await secplat(["deliveries", "show", failedId]);
  expect(stdout).toContain("target        https://hooks.acme.example\n");
  expect(stdout).toContain('"status":404');
  const all = JSON.stringify(await secplat.json(["deliveries", "list"]));
  expect([stdout, all].join()).not.toContain("never to be shown");
});

test("sends a failed message again, and no other", async () => {
  const { stdout } = await secplat(["deliveries", "retry", failedId]);
  expect(stdout).toBe(`delivery ${failedId} is queued again
`);
  expect(await listed("--state", "waiting")).toEqual([failedId]);
  const jobs = await secplat.json<readonly Job[]>(["jobs", "list", "--kind", "notifications.post"]);
  expect(jobs).toMatchObject([{ state: "queued", payload: { id: failedId } }]);
  const refusals = await Promise.all(
    [failedId, deliveredId, orphanId].map((id) => secplat(["deliveries", "retry", id])),
  );
  expect(refusals.map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual([
    [exitCodes.failure, `secplat: delivery ${failedId} cannot be sent again: it is waiting\n`],
    [exitCodes.failure, `secplat: delivery ${deliveredId} cannot be sent again: it is delivered\n`],
    [
      exitCodes.failure,
      `secplat: delivery ${orphanId} cannot be sent again: its notification group no longer exists\n`,
    ],
  ]);
  const trail = await secplat(["audit", "--json"]);
  expect(trail.stdout).toContain("deliveries retry");
});

test("names an unknown message, and an unknown state", async () => {
  const unknown = await secplat(["deliveries", "show", "unknown"]);
  expect([unknown.exitCode, unknown.stderr]).toEqual([
    exitCodes.failure,
    "secplat: there is no delivery unknown (secplat deliveries list shows them)\n",
  ]);
  expect((await secplat(["deliveries", "retry", "unknown"])).stderr).toBe(unknown.stderr);
  const state = await secplat(["deliveries", "list", "--state", "waitng"]);
  expect([state.exitCode, state.stderr]).toEqual([
    exitCodes.usage,
    expect.stringContaining("Did you mean waiting?"),
  ]);
});
