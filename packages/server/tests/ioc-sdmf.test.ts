import { expect, test } from "vitest";
import { importRecords } from "../src/imports/index.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { domain, hash, iocSuite, paths, type Session } from "./support/ioc.ts";
import { hours, minutes } from "./support/manual-clock.ts";
import { type ErrorBody, ahead, messages } from "./support/session.ts";

const node = (id: string, operator: object, more: object = {}) => ({
  id,
  res_id: id,
  operator,
  ...more,
});
const indicators = node("i", { type: "source", resource: "indicators" });
const executions = node("e", { type: "source", resource: "executions" });

withPostgresAtNight((engine) => {
  const suite = iocSuite(engine);

  const ask = <Body = Record<string, unknown>[]>(
    api: Session,
    nodes: readonly object[],
    res_id: string,
    control_info?: object,
  ) =>
    api.request<Body>("POST", paths.sdmf, {
      body: { id: "q", nodes, res_id, ...(control_info === undefined ? {} : { control_info }) },
    });

  test("groups of a filtered source, the largest first", async () => {
    const api = await suite.open();
    const child = await suite.open(api.tenant);
    await api.stored(
      hash("a", { severity: "critical" }),
      domain("a.example"),
      domain("b.example", { expiration: ahead(api, hours(1)) }),
    );
    await child.stored(domain("c.example"));
    const nodes = [
      indicators,
      node("live", { type: "filter", input: "i", filter: "expired:false" }),
      node("g", {
        type: "group",
        input: "live",
        by: ["severity"],
        measures: [
          { function: "count", as: "n" },
          { function: "max", field: "created_on", as: "newest" },
        ],
      }),
      node("s", { type: "sort", input: "g", sort: "n.desc" }),
    ];
    const created = api.clock.now().toISOString();
    const answer = await ask(child, nodes, "s");
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toEqual([
      { severity: "high", n: 3, newest: created },
      { severity: "critical", n: 1, newest: created },
    ]);
    api.clock.advance(hours(1));
    expect((await ask(child, nodes, "s")).body[0]).toMatchObject({ n: 2 });
  });

  test("joins indicators with executions", async () => {
    const api = await suite.open();
    await api.stored(hash("a"), domain("bad.example"));
    const device = "1".repeat(32);
    const outcome = await importRecords(api.store, {
      cid: api.tenant.cid,
      kind: "executions",
      clock: api.clock,
      lines: [
        { id: `pid:${device}:1`, sha256: "a".repeat(64), file_name: "tool.exe" },
        { id: `pid:${device}:2`, domains: ["ok.example", "bad.example"] },
      ].map((line) =>
        JSON.stringify({ device_id: device, started_on: "2026-02-01T00:00:00Z", ...line }),
      ),
    });
    expect(outcome.imported).toBe(2);
    const joined = (right: string, input: string) => [
      indicators,
      executions,
      node("j", { type: "join", left: "i", right: "e", on: [{ left: "value", right }] }),
      node("p", {
        type: "project",
        input,
        columns: [{ field: "e.id", as: "process" }, { field: "value" }, { field: "file_name" }],
      }),
    ];
    expect((await ask(api, joined("sha256", "j"), "p")).body).toEqual([
      { process: `pid:${device}:1`, value: "a".repeat(64), file_name: "tool.exe" },
    ]);
    expect((await ask(api, joined("domains", "j"), "p")).body).toEqual([
      { process: `pid:${device}:2`, value: "bad.example", file_name: null },
    ]);
  });

  test("an invalid plan causes a 400 that names the node", async () => {
    const api = await suite.open();
    const limit = (id: string, input: string) => node(id, { type: "limit", input, limit: 1 });
    const wrong = async (nodes: readonly object[], result: string) => {
      const answer = await ask<ErrorBody>(api, nodes, result);
      expect(answer.status, answer.text).toBe(400);
      return messages(answer).join("\n");
    };
    expect(await wrong([indicators], "x")).toMatch(/^body\.res_id: unknown node x/);
    expect(await wrong([limit("l", "nobody")], "l")).toMatch(/node l: unknown input nobody/);
    expect(await wrong([limit("a", "b"), limit("b", "a")], "a")).toMatch(
      /node b: the nodes form a cycle/,
    );
    expect(await wrong([indicators, indicators], "i")).toMatch(/node i: i names body\.nodes\[0\]/);
    expect(await wrong([indicators, node("x", { type: "explode", input: "i" })], "i")).toMatch(
      /body\.nodes\[1\]\.operator/,
    );
    expect(
      await wrong([indicators, node("f", { type: "filter", input: "i", filter: "nope:1" })], "f"),
    ).toMatch(/^body\.nodes\[1\]\.operator\.filter: node f: .*nope/);
  });

  test("a past deadline causes a 400, a future one is kept", async () => {
    const api = await suite.open();
    const late = await ask<ErrorBody>(api, [indicators], "i", { deadline: ahead(api, -1) });
    expect(late.status).toBe(400);
    expect(messages(late)[0]).toMatch(/^body\.control_info\.deadline: /);
    expect((await ask(api, [indicators], "i", { deadline: ahead(api, minutes(1)) })).body).toEqual(
      [],
    );
  });
});
