/** @module-tag exhaustive */
import { expect, test } from "vitest";
import { indicators } from "../src/domain/ioc/indicators.ts";
import { layoutOf } from "../src/store/rows/columns.ts";
import type { DatabaseLimits } from "../src/store/dialects/database-limits.ts";
import { openTenant, startTestApi, type Answer, type TestApi } from "./support/api.ts";
import { onPostgres } from "./support/engines.ts";
import { administer, connectAsOwner } from "./support/raw-sql.ts";

/** More than there are connections for reads. */
const many = 15;

const connections = 10;
const platforms = "/iocs/queries/platforms/v1";

onPostgres((engine) => {
  /** Many reads of the first tenant, while the table that they read is locked. */
  async function behindLock(
    databaseLimits: DatabaseLimits,
    work: (parts: {
      readonly api: TestApi;
      readonly reads: readonly Promise<Answer>[];
      readonly blocked: () => Promise<number>;
    }) => Promise<void>,
  ): Promise<readonly Answer[]> {
    const databaseUrl = await engine.url();
    const api = await startTestApi({
      databaseUrl,
      databaseLimits,
      limits: { requestsInWork: 4 * many },
    });
    const owner = await connectAsOwner(databaseUrl);
    const locked = `select pid from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    const blocked = async (): Promise<number> => (await administer(databaseUrl, locked)).length;
    await owner.run(`begin; lock table "${layoutOf(indicators).table}" in access exclusive mode`);
    const query = { filter: "value:'a'" };
    const reads = Array.from({ length: many }, () =>
      api.request("GET", "/iocs/combined/indicator/v1", { query }),
    );
    try {
      await expect.poll(blocked).toBe(connections - 1);
      await work({ api, reads, blocked });
    } finally {
      await owner.run("rollback");
      await owner.close();
    }
    return Promise.all(reads);
  }

  test("the reads of a tenant leave a connection to the others", async () => {
    const answers = await behindLock({}, async ({ api, blocked }) => {
      const other = await openTenant(api, "other");
      const { status, text } = await other.request("GET", platforms);
      expect(status, text).toBe(200);
      expect(await blocked()).toBe(connections - 1);
    });
    expect(answers.map(({ status }) => status)).toEqual(Array(many).fill(200));
  });

  test("a read that gets no connection in time causes a 503", async () => {
    const early: Answer[] = [];
    const answers = await behindLock({ connectMilliseconds: 500 }, async ({ reads }) => {
      for (const read of reads) void read.then((answer) => early.push(answer));
      await expect.poll(() => early, { timeout: 10_000 }).toHaveLength(many - connections + 1);
    });
    for (const { status, headers } of early.slice(0, many - connections + 1)) {
      expect(status).toBe(503);
      expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    }
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(connections - 1);
  });
});
