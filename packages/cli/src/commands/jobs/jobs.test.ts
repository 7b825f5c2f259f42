import { openStoreAt, resources, systemClock, type Job } from "@security-platform/server/internal";
import { beforeEach, expect, test } from "vitest";
import { exitCodes } from "../../terminal/exit-codes.ts";
import { commandLine, type CommandLine } from "../../testing/command-line.ts";

let secplat: CommandLine;
let ids: readonly number[];

/** Three jobs of one tenant: dead, running and queued. */
beforeEach(async () => {
  secplat = commandLine();
  const { cid } = await secplat.json<{ cid: string }>(["tenants", "create", "Acme"]);
  const url = `sqlite:${secplat.folder}/.data/platform.sqlite`;
  const store = await openStoreAt({ url, clock: systemClock, resources });
  const now = systemClock.now();
  const later = new Date(now.getTime() + 60_000);
  ids = await store.write(cid, async (transaction) => [
    await transaction.enqueue({ kind: "reports.write", payload: { name: "x\u001b[2J" } }, now),
    await transaction.enqueue({ kind: "reports.write", key: "hosts" }, now),
    await transaction.enqueue({ kind: "mails.deliver", at: later }, now),
  ]);
  const claim = { kinds: ["reports.write"], limit: 2, worker: "host/1", now, leaseUntil: later };
  const [first] = await store.jobs.claim(claim);
  if (first === undefined) throw new Error("there is no job to claim");
  const failure = { error: "the disk is full", retryAt: null };
  await store.jobs.fail(first.lease, failure, { now, keepUntil: later, cid });
  await store.close();
});

const list = (...options: readonly string[]) =>
  secplat.json<readonly Job[]>(["jobs", "list", ...options]);

test("lists jobs, newest first, by state, kind and tenant", async () => {
  const all = await list();
  expect(all.map(({ id, state }) => [id, state])).toEqual([
    [ids[2], "queued"],
    [ids[1], "running"],
    [ids[0], "dead"],
  ]);
  expect(await list("--state", "dead")).toEqual([all[2]]);
  expect(await list("--kind", "mails.deliver")).toEqual([all[0]]);
  expect(await list("--tenant", "Acme", "--limit", "1")).toEqual([all[0]]);
  await secplat(["tenants", "create", "Other"]);
  expect(await list("--tenant", "Other")).toEqual([]);
  const { stdout } = await secplat(["jobs", "list", "--state", "dead"]);
  expect(stdout).toMatch(/^ID +KIND +STATE +ATTEMPTS +RUN AT +FINISHED AT +ERROR\n/);
  expect(stdout).toMatch(/\n\d+ +reports\.write +dead +1 +- +\S+Z +the disk is full\n$/);
});

test("shows one job", async () => {
  const id = String(ids[0]);
  const job = await secplat.json<Job>(["jobs", "show", id]);
  expect(job).toMatchObject({ kind: "reports.write", state: "dead", worker: "host/1" });
  const { stdout } = await secplat(["jobs", "show", id]);
  expect(stdout).toContain("error        the disk is full\n");
  expect(stdout).toContain(`payload      {"name":"x\\u001b[2J"}\n`);
});

test("retries a dead job once, and no other", async () => {
  const id = String(ids[0]);
  const { stdout } = await secplat(["jobs", "retry", id]);
  expect(stdout).toBe(`job ${id} is queued again\n`);
  expect(await secplat.json(["jobs", "show", id])).toMatchObject({ state: "queued", attempts: 0 });
  const again = await secplat(["jobs", "retry", id]);
  expect(again.exitCode).toBe(exitCodes.failure);
  expect(again.stderr).toBe(
    `secplat: job ${id} is queued; only failed and dead jobs can be retried\n`,
  );
  expect((await secplat(["jobs", "retry", String(ids[1])])).stderr).toContain("is running");
});

test("names the nearest job", async () => {
  const { exitCode, stderr } = await secplat(["jobs", "show", "99"]);
  expect(exitCode).toBe(exitCodes.failure);
  expect(stderr).toBe(
    `secplat: there is no job 99; the nearest is ${ids[2]} (secplat jobs list shows them)\n`,
  );
  expect((await secplat(["jobs", "retry", "99"])).stderr).toBe(stderr);
  const wrong = await secplat(["jobs", "show", "first"]);
  expect(wrong.exitCode).toBe(exitCodes.usage);
  expect(wrong.stderr).toContain("Expected an integer of at least 1.");
  const state = await secplat(["jobs", "list", "--state", "failing"]);
  expect(state.stderr).toContain("Did you mean failed?");
});
