import { expect, test } from "vitest";
import { importRecords, type ImportKind } from "../src/imports/index.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { domain, hash, iocSuite, paths, type Indicator, type Session } from "./support/ioc.ts";
import { hours } from "./support/manual-clock.ts";
import { ahead } from "./support/session.ts";

const device = "d".repeat(32);
const run = (number: number, more: object = {}) => ({
  id: `pid:${device}:${number}`,
  device_id: device,
  started_on: "2026-02-01T00:00:00+01:00",
  ...more,
});

withPostgresAtNight((engine) => {
  const suite = iocSuite(engine);

  const load = (
    api: Session,
    kind: ImportKind,
    lines: readonly (object | string)[],
    more: object = {},
  ) =>
    importRecords(api.store, {
      cid: api.tenant.cid,
      kind,
      clock: api.clock,
      lines: lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))),
      ...more,
    });

  test("indicators are imported once, with or without ids", async () => {
    const api = await suite.open();
    const id = "e".repeat(64);
    const lines = [
      { ...hash("A"), id, created_on: "2025-01-01T00:00:00Z", created_by: "someone" },
      domain("Bad.example"),
      domain("gone.example", { expiration: "2020-01-01T00:00:00Z" }),
    ];
    expect(await load(api, "indicators", lines)).toEqual({
      imported: 3,
      updated: 0,
      unchanged: 0,
      rejected: 0,
      problems: [],
    });
    expect(await load(api, "indicators", lines)).toEqual({
      imported: 0,
      updated: 0,
      unchanged: 3,
      rejected: 0,
      problems: [],
    });
    expect(await api.values({ sort: "value" })).toEqual([
      "a".repeat(64),
      "bad.example",
      "gone.example",
    ]);
    expect(await api.values({ filter: "expired:true" })).toEqual(["gone.example"]);
    expect((await api.get(id)).body[0]).toMatchObject({
      created_by: "someone",
      created_on: "2025-01-01T00:00:00.000Z",
      modified_by: "someone",
      modified_on: "2025-01-01T00:00:00.000Z",
    });
  });

  test("a JSON report is imported unchanged", async () => {
    const [from, to] = [await suite.open(), await suite.open()];
    const stored = await from.stored(
      hash("a", { metadata: { filename: "a.exe" }, tags: ["x"] }),
      domain("b.example", { description: "", expiration: ahead(from, hours(9)) }),
    );
    const report = await from.request<{ content: string }>("POST", paths.report, {
      body: { report_format: "json" },
    });
    const { imported, problems } = await load(
      to,
      "indicators",
      JSON.parse(report.body.content) as Indicator[],
    );
    expect([imported, problems]).toEqual([2, []]);
    expect((await to.get(...stored.map(({ id }) => id))).body).toEqual(stored);
  });

  test("invalid lines are reported with number and expectation; valid ones are imported", async () => {
    const api = await suite.open();
    await api.stored(domain("there.example"));
    const outcome = await load(api, "indicators", [
      domain("one.example"),
      "",
      "{nonsense",
      { ...domain("two.example"), severty: "high" },
      domain("three.example", { severity: "" }),
      domain("there.example"),
      { ...domain("one.example"), id: "f".repeat(64) },
      domain("four.example"),
    ]);
    expect(outcome).toMatchObject({ imported: 2, unchanged: 0, rejected: 5 });
    expect(outcome.problems.map(({ line }) => line)).toEqual([3, 4, 5, 6, 7]);
    expect(outcome.problems.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^not valid JSON: /),
      expect.stringMatching(/^severty: unknown field; did you mean severity\?/),
      expect.stringMatching(/^severity: cannot be empty/),
      expect.stringMatching(/^domain:there\.example already exists as [0-9a-f]{64}$/),
      expect.stringMatching(/^domain:one\.example already exists as [0-9a-f]{64}$/),
    ]);
  });

  test("an interrupted import is completed by running it again", async () => {
    const api = await suite.open();
    const lines = Array.from({ length: 25 }, (_, index) => run(index));
    function* broken() {
      for (const line of lines.slice(0, 17)) yield JSON.stringify(line);
      throw new Error("the disk is gone");
    }
    const cut = importRecords(api.store, {
      cid: api.tenant.cid,
      kind: "executions",
      clock: api.clock,
      lines: broken(),
      batch: 5,
    });
    await expect(cut).rejects.toThrow("the disk is gone");
    const progress: number[] = [];
    const onProgress = ({ lines: read }: { lines: number }) => progress.push(read);
    const outcome = await load(api, "executions", lines, { batch: 5, onProgress });
    expect(outcome).toMatchObject({ imported: 10, unchanged: 15, rejected: 0 });
    expect(progress.slice(0, 5)).toEqual([5, 10, 15, 20, 25]);
  });

  test("executions are normalised, and inconsistent ones are rejected", async () => {
    const api = await suite.open();
    const outcome = await load(api, "executions", [
      run(1, {
        sha256: "A".repeat(64),
        domains: ["Bad.Example.", "bad.example"],
        ip_addresses: ["2001:DB8::1"],
      }),
      run(2, { device_id: "e".repeat(32) }),
      run(3, { sha256: "xyz", ip_addresses: ["10.0.0.1", "10.0.0.256"] }),
      run(4, { started_on: "yesterday" }),
      { device_id: device },
    ]);
    expect(outcome).toMatchObject({ imported: 1, rejected: 4 });
    expect(outcome.problems.map(({ line, message }) => `${line} ${message}`)).toEqual([
      expect.stringMatching(/^2 id: expected pid:e+:<digits>/),
      expect.stringMatching(/^3 sha256: expected 64 hex digits/),
      expect.stringMatching(/^3 ip_addresses\[1\]: expected an IPv4 address/),
      expect.stringMatching(/^4 started_on: expected an RFC 3339 timestamp/),
      expect.stringMatching(/^5 id: is required/),
      expect.stringMatching(/^5 started_on: is required/),
    ]);
    const devices = await api.request("GET", paths.devices, {
      query: { type: "domain", value: "bad.example" },
    });
    expect(devices.body).toEqual([device]);
  });

  test("imports are recorded in the audit trail", async () => {
    const api = await suite.open();
    await load(api, "indicators", [domain("a.example")]);
    const [entry] = await api.store.directory.auditEntries({ cid: api.tenant.cid, limit: 1 });
    expect(entry).toMatchObject({ actor: "cli", operation: "import indicators" });
  });
});
