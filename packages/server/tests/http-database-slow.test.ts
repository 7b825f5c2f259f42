import { expect, test } from "vitest";
import { openStoreAt } from "../src/host/open-store-at.ts";
import { importRecords } from "../src/imports/index.ts";
import { resources } from "../src/platform/resources.ts";
import { startTestApi } from "./support/api.ts";
import { onSqlite } from "./support/engines.ts";
import { domain, paths } from "./support/ioc.ts";

/** With as many conditions, no machine reads so many records within a millisecond. */
const records = 2_000;
const conditions = 200;

const filter = Array.from({ length: conditions }, (_, at) => `value:*'*${at}-x*'`).join(",");

onSqlite((engine) => {
  test("a read beyond the time limit of a statement causes a 503, and other requests continue", async () => {
    const databaseUrl = await engine.url();
    const databaseLimits = { statementMilliseconds: 1 };
    const { clock, tenant, request } = await startTestApi({ databaseUrl, databaseLimits });
    const store = await openStoreAt({ url: databaseUrl, clock, resources });
    const lines = Array.from({ length: records }, (_, at) =>
      JSON.stringify(domain(`host-${at}.example`)),
    );
    const { cid } = tenant;
    const { problems } = await importRecords(store, { cid, kind: "indicators", clock, lines });
    await store.close();
    expect(problems).toEqual([]);
    const slow = request("GET", paths.search, { query: { filter } });
    const creation = { body: { indicators: [domain("other.example")] } };
    const created = await request("POST", paths.indicators, creation);
    expect(created.status, created.text).toBe(201);
    const answer = await slow;
    expect(answer.status, answer.text).toBe(503);
    expect(answer.text).toContain("the database took too long");
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  });
});
