/** @module-tag exhaustive */
import { operations, type Operation } from "@security-platform/spec";
import { expect, test } from "vitest";
import { worstRequests } from "../../../testing/worst-requests/index.ts";
import { importRecords } from "../src/imports/index.ts";
import type { TestApi } from "./support/api.ts";
import { withPostgresAtNight, onSqlite } from "./support/engines.ts";
import { paths } from "./support/ioc.ts";
import { sharedApi } from "./support/shared-api.ts";
import { mostInOneTurn, turnsOf } from "./support/turns.ts";

const inventories = "/image-assessment/entities/image-inventory/v1";
const many = 2_000;
/** Maximum number of statements and rows of SQLite between two looks at the time. */
const mostRows = 1_200;

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

/** Expects that a write succeeds and lets other requests run at least as often as `least`. */
async function expectTurns(
  least: number,
  api: TestApi,
  ...[method, path, request]: Parameters<TestApi["request"]>
): Promise<void> {
  const turns = await turnsOf(async () => {
    const { status, text } = await api.request(method, path, request);
    expect(status, text.slice(0, 1_000)).toBeLessThan(300);
  });
  expect(turns).toBeGreaterThanOrEqual(least);
}

withPostgresAtNight((engine) => {
  const suite = sharedApi(engine);

  test("writes of thousands of indicators let other requests run", async () => {
    const api = await suite.open();
    const filter = "value:*'many-*'";
    // Each is read or computed once, and stored once.
    await expectTurns(2 * many, api, "POST", paths.indicators, {
      body: { indicators: indicators(many, "many") },
    });
    await expectTurns(2 * many, api, "PATCH", paths.indicators, {
      body: { bulk_update: { filter, severity: "low" } },
    });
    await expectTurns(2 * many, api, "DELETE", paths.indicators, { query: { filter } });
  });

  test("a large body lets other requests run between its parsing and its validation", async () => {
    const api = await suite.open();
    const body = { indicators: [{ type: "x".repeat(2 ** 20) }] };
    const turns = await turnsOf(() => api.request("POST", paths.indicators, { body }));
    expect(turns).toBeGreaterThanOrEqual(1);
  });

  test("an inventory of thousands of files lets other requests run while it is validated", async () => {
    const api = await suite.open();
    const files = range(20 * many).map((index) => ({
      Hash: "0f".repeat(32),
      LayerHash: `sha256:${"5e".repeat(32)}`,
      LayerIndex: 0,
      Path: `usr/bin/program-${index}`,
      Permissions: "-rwxr-xr-x",
      Size: index,
    }));
    const turns = async (last: object): Promise<number> => {
      // The members at the top are missing, so nothing follows the validation.
      const body = { inventory: { HashedFiles: [...files, last] } };
      return turnsOf(async () => {
        const { status } = await api.request("POST", inventories, { body });
        expect(status).toBe(400);
      });
    };
    // A wrong item at the start ends the validation, and all else is the same.
    const [first] = files.splice(0, 1, { Hash: 1 } as never);
    const before = await turns({});
    files.splice(0, 1, first as never);
    expect((await turns({})) - before).toBeGreaterThanOrEqual(files.length);
  });

  test("host groups with long rules let other requests run", async () => {
    const api = await suite.open();
    const [hosts, groups, conditions] = [200, 20, 500];
    const lines = range(hosts).map((index) =>
      JSON.stringify({
        device_id: index.toString(16).padStart(32, "a"),
        hostname: `host-${index}`,
        platform_name: "Linux",
      }),
    );
    const { cid } = api.tenant;
    await importRecords(api.store, { cid, kind: "hosts", clock: api.clock, lines });
    const rule = range(conditions)
      .map((number) => `hostname:*'*${number}-'`)
      .join();
    const resources = range(groups).map((index) => ({
      name: `group ${index}`,
      group_type: "dynamic",
      assignment_rule: rule,
    }));
    const path = "/devices/entities/host-groups/v1";
    await expectTurns(hosts + groups, api, "POST", path, { body: { resources } });
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
    const tooMany: string[] = [];
    const look = async (name: string, ...request: Parameters<TestApi["request"]>) => {
      const most = await mostInOneTurn(() => api.request(...request));
      if (most > mostRows) tooMany.push(`${name}: ${most}`);
    };
    const body = { indicators: indicators(many, "many") };
    await look("valid indicators", "POST", paths.indicators, { body });
    for (const operation of operations().filter(isLarge)) {
      for (const request of worstRequests(operation, { largest: true })) {
        const { name, method, address, mediaType, body: text } = request;
        await look(`${operation.id}, ${name}`, method, address, {
          ...(text === undefined ? {} : { body: text }),
          ...(mediaType === null ? {} : { headers: { "content-type": mediaType } }),
        });
      }
    }
    expect(tooMany).toEqual([]);
  });
});
