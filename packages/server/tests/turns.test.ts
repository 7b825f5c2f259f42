import { operations, type Operation } from "@security-platform/spec";
import { expect, test } from "vitest";
import { worstRequests } from "../../../testing/worst-requests/index.ts";
import { importRecords } from "../src/imports/index.ts";
import { unitsPerTurn } from "../src/pauses.ts";
import type { TestApi } from "./support/api.ts";
import { forEachEngine, onSqlite } from "./support/engines.ts";
import { paths } from "./support/ioc.ts";
import { sharedApi } from "./support/shared-api.ts";
import { mostInOneTurn, turnsOf } from "./support/turns.ts";

const many = 2_000;

const range = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);

const indicators = (count: number, prefix: string): readonly object[] =>
  range(count).map((index) => ({
    type: "domain",
    value: `${prefix}-${index}.example.com`,
    action: "detect",
    severity: "high",
    platforms: ["windows", "mac"],
    applied_globally: true,
  }));

/** The turns of a request that must succeed. */
const turns = (
  api: TestApi,
  method: string,
  path: string,
  request: Parameters<TestApi["request"]>[2],
): Promise<number> =>
  turnsOf(async () => {
    const { status, text } = await api.request(method, path, request);
    expect(status, text.slice(0, 1_000)).toBeLessThan(300);
  });

/** Expects the turns of `more` units of work more. */
function expectMoreTurns(large: number, small: number, more: number): void {
  expect(large - small).toBeGreaterThanOrEqual(Math.floor(more / unitsPerTurn) - 1);
}

forEachEngine((engine) => {
  const suite = sharedApi(engine);

  test("requests on thousands of indicators let others run", async () => {
    const api = await suite.open();
    const both = async (send: (one: boolean) => Promise<number>, units: number) => {
      const small = await send(true);
      expectMoreTurns(await send(false), small, units);
    };
    const filterOf = (one: boolean): string => (one ? "value:'one-0.*'" : "value:*'many-*'");
    await both(
      (one) =>
        turns(api, "POST", paths.indicators, {
          body: { indicators: one ? indicators(1, "one") : indicators(many, "many") },
        }),
      2 * many,
    );
    await both(
      (one) =>
        turns(api, "PATCH", paths.indicators, {
          body: { bulk_update: { filter: filterOf(one), severity: "low" } },
        }),
      2 * many,
    );
    await both(
      (one) => turns(api, "DELETE", paths.indicators, { query: { filter: filterOf(one) } }),
      many,
    );
  });

  test("host groups with long rules let other requests run", async () => {
    const api = await suite.open();
    const hosts = 200;
    const lines = range(hosts).map((index) =>
      JSON.stringify({
        device_id: index.toString(16).padStart(32, "a"),
        hostname: `host-${index}`,
        platform_name: "Linux",
      }),
    );
    const { cid } = api.tenant;
    await importRecords(api.store, { cid, kind: "hosts", clock: api.clock, lines });
    const rule = (conditions: number): string =>
      range(conditions)
        .map((number) => `hostname:*'*${number}-'`)
        .join();
    const create = (name: string, conditions: number) =>
      turns(api, "POST", "/devices/entities/host-groups/v1", {
        body: {
          resources: range(20).map((index) => ({
            name: `${name} ${index}`,
            group_type: "dynamic",
            assignment_rule: rule(conditions),
          })),
        },
      });
    const short = await create("short", 1);
    // 20,000 conditions are as much work as 500 units.
    expectMoreTurns(await create("long", 500), short, (20 * 500 * hosts * unitsPerTurn) / 20_000);
  });
});

/** Operations whose largest requests have hundreds of items or return hundreds of records. */
function isLarge({ parameters, requestBody }: Operation): boolean {
  const text = JSON.stringify([parameters.map(({ schema }) => schema), requestBody?.content]);
  return /"(maxItems|maximum)":[2-9]?\d{3,}[,}]/.test(text) || text.includes('"items"');
}

onSqlite((engine) => {
  const suite = sharedApi(engine);

  test("the largest request of no operation reads or writes thousands of rows in a turn", async () => {
    const api = await suite.open();
    await api.request("POST", paths.indicators, { body: { indicators: indicators(many, "many") } });
    const tooMany: string[] = [];
    for (const operation of operations().filter(isLarge)) {
      for (const request of worstRequests(operation, { largest: true })) {
        const { name, method, address, mediaType, body } = request;
        const most = await mostInOneTurn(() =>
          api.request(method, address, {
            ...(body === undefined ? {} : { body }),
            ...(mediaType === null ? {} : { headers: { "content-type": mediaType } }),
          }),
        );
        if (most > 2_500) tooMany.push(`${operation.id}, ${name}: ${most}`);
      }
    }
    expect(tooMany).toEqual([]);
  });
});
