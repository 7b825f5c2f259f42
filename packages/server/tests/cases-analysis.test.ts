import { expect, test } from "vitest";
import { runCaseAnalyses } from "../src/domain/case-management/cases/analyse-again.ts";
import { alerts } from "../src/domain/case-management/evidence/evidence-records.ts";
import { importRecords } from "../src/imports/index.ts";
import { casesSuite, type Session } from "./support/cases.ts";
import { withPostgresAtNight } from "./support/engines.ts";

const timestamp = "2026-02-01T00:00:00Z";

const analyses = async ({ store, tenant }: Session): Promise<number> => {
  const entries = await store.directory.auditEntries({ cid: tenant.cid, limit: 500 });
  return entries.filter(({ operation }) => operation === "cases analyse").length;
};

withPostgresAtNight((engine) => {
  const suite = casesSuite(() => engine.url());

  test("changed alerts and events change the analysis of the cases that have them", async () => {
    const api = await suite.open();
    await api.imported("alerts", [{ id: "a", timestamp, name: "Nightjar" }]);
    await api.imported("events", [{ id: "e", timestamp, name: "Kestrel" }]);
    const evidence = { alerts: [{ id: "a" }], events: [{ id: "e" }] };
    const having = await api.stored({ name: "having", evidence });
    const other = await api.stored({ name: "other" });
    const moved = {
      id: "a",
      timestamp: "2026-01-01T00:00:00Z",
      hosts: [{ aid: "7".repeat(32), hostname: "WEB-7" }],
    };
    expect(await api.imported("alerts", [moved], true)).toMatchObject({ updated: 1, problems: [] });
    const analysed = await api.read(having.id);
    expect(analysed).toMatchObject({
      version: 2,
      consistency: { consistent: true, version: 2 },
      start_timestamp: "2026-01-01T00:00:00.000Z",
      analysis_results: { hosts: { records: [{ hostname: "WEB-7" }] } },
      last_updated_by: { full_name: "Security Platform" },
    });
    expect(await api.found({ filter: "hostnames:'WEB-7'" })).toEqual(["having"]);
    expect(await api.found({ q: "Nightjar" })).toEqual([]);
    expect(await api.imported("alerts", [moved], true)).toMatchObject({ unchanged: 1 });
    // Concerns the severity of the event, which no case shows.
    await api.imported("events", [{ id: "e", timestamp, name: "Kestrel", severity: 9 }], true);
    expect(await api.read(having.id)).toEqual(analysed);
    await api.imported("events", [{ id: "e", timestamp, name: "Goshawk" }], true);
    expect(await api.found({ q: "Goshawk" })).toEqual(["having"]);
    expect(await api.read(other.id)).toEqual(other);
  });

  test("cases are analysed in batches of 50, also after an interruption", async () => {
    const api = await suite.open();
    await api.alerts("shared");
    const lines = Array.from({ length: 120 }, (_, index) => ({
      id: `00000000-0000-4000-8000-${index.toString(16).padStart(12, "0")}`,
      name: "a case",
      severity: 50,
      evidence: { alerts: [{ id: "shared" }] },
    }));
    expect(await api.imported("cases", lines)).toMatchObject({ imported: 120, problems: [] });
    const { tenant, store, clock } = api;
    const done: number[] = [];
    const interrupted = importRecords(store, {
      cid: tenant.cid,
      kind: "alerts",
      lines: [JSON.stringify({ id: "shared", timestamp, name: "Nightjar" })],
      clock,
      update: true,
      onFinishProgress: (progress) => {
        expect(progress.work).toBe("analysing cases");
        done.push(progress.done);
        if (progress.done === 50) throw new Error("interrupted");
      },
    });
    // A failed attempt is repeated later, as a server does.
    await interrupted;
    expect(done).toEqual([50]);
    expect(await api.search({ q: "Nightjar", limit: 1_000 })).toMatchObject({
      body: { length: 50 },
    });
    clock.advance(3_600_000);
    await runCaseAnalyses(store, clock);
    const matches = await api.search({ q: "Nightjar", limit: 1_000 });
    expect(matches.body).toHaveLength(120);
    const cases = await api.get(...matches.body);
    expect(new Set(cases.body.map(({ version }) => version))).toEqual(new Set([2]));
    // One entry for each batch, and none for the batch that was done before.
    expect(await analyses(api)).toBe(3);
  });

  test("a change of an alert without cases enqueues work that changes nothing", async () => {
    const api = await suite.open();
    await api.alerts("alone");
    await api.store.write(api.tenant.cid, async (transaction) => {
      const records = transaction.records(alerts);
      const stored = (await records.getForUpdate(["alone"])).get("alone");
      if (stored !== undefined) await records.replace([{ ...stored, name: "x" }], api.clock.now());
    });
    await runCaseAnalyses(api.store, api.clock);
    expect(await analyses(api)).toBe(0);
  });
});
