import { expect, test } from "vitest";
import { importRecords } from "../src/imports/index.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { domain, hash, iocSuite, paths, type Session } from "./support/ioc.ts";
import { type ErrorBody, messages } from "./support/session.ts";

const device = (number: number): string => number.toString(16).padStart(32, "0");

interface Run {
  readonly device?: number;
  readonly [member: string]: unknown;
}

/** Imports executions, numbered as given. */
async function imported(api: Session, ...runs: readonly Run[]): Promise<void> {
  const lines = runs.map(({ device: on = 1, ...members }, index) =>
    JSON.stringify({
      id: `pid:${device(on)}:${index + 1}`,
      device_id: device(on),
      started_on: "2026-02-01T00:00:00Z",
      ...members,
    }),
  );
  const outcome = await importRecords(api.store, {
    cid: api.tenant.cid,
    kind: "executions",
    lines,
    clock: api.clock,
  });
  expect(outcome.problems).toEqual([]);
}

type Query = Record<string, string>;

withPostgresAtNight((engine) => {
  const suite = iocSuite(engine);

  const devices = (api: Session, query: Query) =>
    api.request<string[]>("GET", paths.devices, { query });
  const processes = (api: Session, query: Query) =>
    api.request<string[]>("GET", paths.processes, { query });
  const count = async (api: Session, query: Query) =>
    (await api.request<unknown[]>("GET", paths.deviceCount, { query })).body;

  test.each([
    ["sha256", "a".repeat(64), "A".repeat(64)],
    ["md5", "b".repeat(32), "B".repeat(32)],
    ["domain", "bad.example", "BAD.example"],
    ["ipv4", "203.0.113.7", "203.0.113.7"],
    ["ipv6", "2001:db8::7", "2001:DB8:0::7"],
  ])("%s: devices, processes and the count", async (type, value, asked) => {
    const api = await suite.open();
    const shown =
      type === "domain"
        ? { domains: ["other.example", value] }
        : type.startsWith("ip")
          ? { ip_addresses: ["198.51.100.1", value] }
          : { [type]: value };
    await imported(
      api,
      { device: 2, ...shown },
      { device: 1, ...shown },
      { device: 1, ...shown },
      {
        device: 3,
        domains: ["sub.bad.example"],
        ip_addresses: ["203.0.113.70"],
        sha256: "c".repeat(64),
      },
    );
    expect((await devices(api, { type, value: asked })).body).toEqual([device(1), device(2)]);
    expect((await processes(api, { type, value: asked, device_id: device(1) })).body).toEqual([
      `pid:${device(1)}:2`,
      `pid:${device(1)}:3`,
    ]);
    expect(await count(api, { type, value: asked })).toEqual([
      { type, value, device_count: 2, limit_exceeded: false },
    ]);
    const never = { type: "domain", value: "never.example" };
    expect((await devices(api, never)).body).toEqual([]);
    expect(await count(api, never)).toEqual([{ ...never, device_count: 0, limit_exceeded: false }]);
    expect((await processes(api, { type, value, device_id: device(9) })).body).toEqual([]);
    const other = await suite.open();
    expect((await devices(other, { type, value })).body).toEqual([]);
  });

  test("pages use a cursor, and a cursor belongs to its look-up", async () => {
    const api = await suite.open();
    const runs = Array.from({ length: 7 }, (_, index) => ({
      device: index + 1,
      domains: ["bad.example"],
    }));
    await imported(api, ...runs);
    const query = { type: "domain", value: "bad.example", limit: "3" };
    const seen: string[] = [];
    let cursor: string | null = null;
    let first: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof devices>> = await devices(
        api,
        cursor === null ? query : { ...query, offset: cursor },
      );
      expect(page.status, page.text).toBe(200);
      expect(page.headers.get("x-pagination-limit")).toBe("3");
      const link = page.headers.get("link");
      if (page.headers.has("x-pagination-after")) expect(link).toMatch(/&offset=.*rel="next"/);
      else expect(link).toBeNull();
      seen.push(...page.body);
      cursor = page.headers.get("x-pagination-after");
      first ??= cursor;
    } while (cursor !== null);
    expect(seen).toEqual(runs.map((run) => device(run.device)));
    const refused = [
      { ...query, value: "other.example", offset: first ?? "" },
      { ...query, offset: "nonsense" },
      { ...query, offset: `${first}x` },
    ];
    for (const bad of refused) {
      const answer = await api.request<ErrorBody>("GET", paths.devices, { query: bad });
      expect(answer.status).toBe(400);
      expect(messages(answer)[0]).toMatch(/^query\.offset: /);
    }
  });

  test("the position after each page, sent back until the total, lists every entry once", async () => {
    const api = await suite.open();
    const value = "bad.example";
    const runs = Array.from({ length: 7 }, (_, index) => ({ device: index + 1, domains: [value] }));
    const again = Array.from({ length: 7 }, () => ({ device: 1, domains: [value] }));
    await imported(api, ...runs, ...again);
    const query = { type: "domain", value, limit: "3" };
    const expectedProcesses = (
      await processes(api, { ...query, limit: "100", device_id: device(1) })
    ).body;
    expect(expectedProcesses).toHaveLength(8);
    for (const [list, more, expected] of [
      [devices, {}, runs.map((run) => device(run.device))],
      [processes, { device_id: device(1) }, expectedProcesses],
    ] as const) {
      const seen: string[] = [];
      for (let total = 1, page = 0; seen.length < total; page += 1) {
        const answer = await list(api, { ...query, ...more, offset: String(seen.length) });
        expect(answer.status, answer.text).toBe(200);
        expect(answer.headers.get("x-pagination-offset")).toBe(String(seen.length));
        total = Number(answer.headers.get("x-total-count"));
        expect(total).toBe(expected.length);
        seen.push(...answer.body);
        expect(page).toBeLessThan(4);
      }
      expect(seen).toEqual(expected);
      const beyond = await list(api, { ...query, ...more, offset: "999999999999999" });
      expect(beyond.body, beyond.text).toEqual([]);
      const tooLong = await list(api, { ...query, ...more, offset: "9".repeat(16) });
      expect(tooLong.status).toBe(400);
    }
  });

  test("types that cannot be looked up cause a 400", async () => {
    const api = await suite.open();
    const bad: readonly Query[] = [
      { type: "all_subdomains", value: "bad.example" },
      { type: "sha256", value: "abc" },
      { type: "ipv4", value: "2001:db8::1" },
      { type: "domain" },
      { value: "bad.example" },
      { type: "domain", value: "bad.example", limit: "0" },
      { type: "domain", value: "bad.example", limit: "101" },
    ];
    for (const query of bad)
      expect((await devices(api, query)).status, JSON.stringify(query)).toBe(400);
    expect((await processes(api, { type: "domain", value: "bad.example" })).status).toBe(400);
  });

  test("retrodetects searches the past and records the number of matches", async () => {
    const api = await suite.open();
    await imported(
      api,
      { device: 1, sha256: "a".repeat(64) },
      { device: 2, sha256: "A".repeat(64), domains: ["deep.sub.bad.example"] },
      { device: 2, domains: ["bad.example", "sub.bad.example"] },
    );
    const inputs = [
      hash("a"),
      hash("b"),
      domain("bad.example"),
      {
        ...domain("bad.example"),
        type: "all_subdomains",
        platforms: ["ios"],
        mobile_action: "detect",
      },
    ];
    const answer = await api.create(inputs, { retrodetects: true });
    expect(answer.body.map(({ metadata }) => metadata.av_hits)).toEqual([2, 0, 1, 2]);
    expect(await api.values({ filter: "metadata.av_hits:>1+type:'sha256'" })).toEqual([
      "a".repeat(64),
    ]);
    const [quiet] = await api.stored(hash("c"));
    expect(quiet?.metadata.av_hits).toBe(-1);
    await imported(api, { device: 5, sha256: "c".repeat(64) });
    const looked = await api.update({ indicators: [{ id: quiet?.id }] }, { retrodetects: true });
    expect(looked.body[0]?.metadata.av_hits).toBe(1);
  });

  test(
    "counting stops at 10,000 devices, and the response says so; the list has all",
    { tags: ["exhaustive"] },
    async () => {
      const api = await suite.open();
      const runs = (from: number, to: number) =>
        Array.from({ length: to - from }, (_, index) => ({
          device: from + index,
          md5: "d".repeat(32),
        }));
      const query = { type: "md5", value: "d".repeat(32) };
      await imported(api, ...runs(1, 10_001));
      expect(await count(api, query)).toEqual([
        { ...query, device_count: 10_000, limit_exceeded: false },
      ]);
      await imported(api, ...runs(10_001, 10_002));
      expect(await count(api, query)).toEqual([
        { ...query, device_count: 10_000, limit_exceeded: true },
      ]);
      let seen = 0;
      let cursor: string | null = "";
      while (cursor !== null) {
        const page: Awaited<ReturnType<typeof devices>> = await devices(
          api,
          cursor === "" ? query : { ...query, offset: cursor },
        );
        seen += page.body.length;
        cursor = page.headers.get("x-pagination-after");
      }
      expect(seen).toBe(10_001);
    },
  );
});
