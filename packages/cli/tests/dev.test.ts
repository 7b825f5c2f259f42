/** Calls the control plane with its commands, on a server in a process of its own. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { calledDocument } from "@security-platform/spec";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { kebabCase } from "../src/calls/operations.ts";
import { commandLine, type CommandLine, type Outcome } from "../src/testing/command-line.ts";
import { temporaryFolder } from "../src/testing/temporary-folder.ts";
import { serve, type Server } from "./support/server.ts";

const cleanUps: (() => void | Promise<void>)[] = [];
let server: Server;
let run: CommandLine;
/** The commands that a test has called. */
const called = new Set<string>();

beforeAll(async () => {
  const folder = temporaryFolder((cleanUp) => cleanUps.push(cleanUp));
  const finish = (cleanUp: () => Promise<void>): void => void cleanUps.unshift(cleanUp);
  server = await serve(["--dev", "--database", "sqlite::memory:"], { folder, finish });
  run = commandLine({ folder });
});
afterAll(async () => {
  for (const cleanUp of cleanUps) await cleanUp();
});
beforeEach(() => dev("reset"));

async function dev(...words: readonly string[]): Promise<Outcome> {
  called.add(words[0] ?? "");
  return run(["dev", ...words]);
}

async function value<Value>(...words: readonly string[]): Promise<Value> {
  const { exitCode, stdout, stderr } = await dev(...words, "--json");
  expect(exitCode, stderr).toBe(0);
  return (stdout === "" ? undefined : JSON.parse(stdout)) as Value;
}

describe("secplat dev", () => {
  test("sets, freezes and advances the clock", async () => {
    const start = "2026-03-01T12:00:00.000Z";
    expect(await value("set-clock", "--now", start, "--frozen", "true")).toEqual({
      now: start,
      frozen: true,
    });
    expect(await value("get-clock")).toEqual({ now: start, frozen: true });
    const advanced = { now: "2026-03-01T15:00:00.000Z", jobs: expect.any(Number) as number };
    expect(await value("advance-clock", "--duration", "3 h")).toEqual(advanced);
    const later = { now: "2026-03-01T15:00:01.000Z", jobs: 0 };
    expect(await value("advance-clock", "--duration", "1000")).toEqual(later);
    expect(await value("run-jobs")).toEqual({ attempts: expect.any(Number) as number });
    expect((await value<readonly object[]>("list-jobs")).length).toBeGreaterThan(0);
  });

  test("makes requests go wrong, and says which arrived", async () => {
    const list = ["ioc", "list-platforms", "--json"];
    const rule = ["--operation-id", "platform.query.v1", "--status", "404", "--times", "always"];
    const { id } = await value<{ id: number }>("add-fault", ...rule);
    expect((await run(list)).exitCode).toBe(1);
    expect(await value("list-faults")).toEqual([expect.objectContaining({ id, hits: 1 })]);
    const filter = ["--path", "/iocs/queries/platforms/v1", "--count", "1", "--wait-ms", "60000"];
    expect(await value("list-requests", ...filter, "--fields", "status,fault")).toEqual([
      { status: 404, fault: id },
    ]);
    expect((await dev("remove-fault", "--number", String(id))).exitCode).toBe(0);
    expect((await run(list)).exitCode).toBe(0);
    await value("add-fault", "--drop", "before");
    await value("clear-faults");
    expect(await value("list-faults")).toEqual([]);
    await value("clear-requests");
    expect(await value("list-requests")).toEqual([]);
    const limits = await value<readonly { limit: string }[]>("list-limits");
    expect(limits.map(({ limit }) => limit)).toContain("requestsPerMinute");
    await value("clear-limits");
    expect(await value("list-limits")).toEqual([]);
  });

  test("adds tenants, clients and records, and returns to a copy", async () => {
    const { cid } = await value<{ cid: string }>("create-tenant", "--name", "Umbra");
    const client = await value<{ client_id: string }>("create-client", "--cid", cid);
    expect(client).toMatchObject({ cid });
    const { snapshot } = await value<{ snapshot: number }>("take-snapshot");
    expect(await value("list-snapshots")).toEqual([snapshot]);
    await value("seed", "--world", "small", "--seed", "7");
    await value("restore-snapshot", "--number", String(snapshot));
    await value("drop-snapshot", "--number", String(snapshot));
    expect(await value("list-snapshots")).toEqual([]);
    expect(await value("list-mails", "--query", "[].kind")).toEqual(["invitation"]);
    expect(await value("list-deliveries")).toEqual([]);
  });

  test("prints a request without sending it", async () => {
    const { stdout } = await dev("add-fault", "--status", "503", "--times", "2", "--dry-run");
    expect(stdout).toBe(
      `curl ${server.greeting.url}/_control/faults \\\n` +
        "  -H 'accept: application/json' \\\n" +
        "  -H 'content-type: application/json' \\\n" +
        `  --data '{"times":2,"status":503}'\n`,
    );
    expect(await value("list-faults")).toEqual([]);
  });

  test.each([
    [
      ["add-fault", "--times", "0", "--status", "503"],
      2,
      "--times: expected an integer from 1 to 1000000, got 0",
    ],
    [["add-fault", "--drop", "befor"], 2, "did you mean before?"],
    [["add-fault", "--set", "delay=3"], 2, "body has no member delay. Did you mean delay_ms?"],
    [["add-fault", "--operation-id", "platform.query"], 1, "no such operation"],
    [["seed", "--world", "smal"], 2, "did you mean small?"],
    [["advance-clock"], 2, "the body is missing"],
    [["advance-clock", "--duration", "3 x"], 1, "duration: unknown unit x; did you mean s?"],
    [["restore-snapshot"], 2, "--number <number> is required"],
    [["restore-snapshot", "--number", "9"], 1, "path.number: there is no snapshot 9"],
    [["remove-fault", "--number", "9"], 1, "fault 9 not found"],
    [["get-clock", "--url", "http://127.0.0.1:1"], 1, "cannot reach http://127.0.0.1:1: "],
    [["get-clock", "--url", "nowhere"], 2, "--url cannot be 'nowhere'. Expected a URL."],
    [["get-clock", "--data", "none"], 2, "no server runs on this data folder; start one with"],
  ])("%j is an error", async (words, exitCode, reason) => {
    const outcome = await dev(...words);
    expect(outcome.stderr).toContain(reason);
    expect(outcome).toMatchObject({ exitCode, stdout: "" });
  });

  test("names --dev if the server runs without it", async () => {
    const folder = temporaryFolder();
    const plain = await serve(["--no-demo", "--database", "sqlite::memory:"], { folder });
    const { exitCode, stderr } = await dev("get-clock", "--url", plain.greeting.url);
    expect(exitCode).toBe(1);
    expect(stderr).toBe(
      `secplat: ${plain.greeting.url} has no /_control/clock; start the server with --dev\n`,
    );
  });

  test("reports a server that responds with something else", async () => {
    const other = createServer((_, response) => response.end("<html>"));
    onTestFinished(() => void other.close());
    await once(other.listen(0, "127.0.0.1"), "listening");
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    expect(await dev("get-clock", "--url", url)).toEqual({
      exitCode: 1,
      stdout: "",
      stderr: `secplat: ${url} did not respond with JSON; is it a server of secplat serve --dev?\n`,
    });
  });

  test("has a command for every operation of the document, all of which were called", () => {
    const commands = calledDocument().control.map(({ methodName }) => kebabCase(methodName));
    expect([...called].toSorted()).toEqual(commands.toSorted());
  });
});
