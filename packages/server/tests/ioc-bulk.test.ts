import { beforeAll, expect, test } from "vitest";
import { importRecords } from "../src/imports/index.ts";
import { forEachEngine } from "./support/engines.ts";
import { domain, iocSuite, paths, type Session } from "./support/ioc.ts";
import { type ErrorBody, messages } from "./support/session.ts";

const ceiling = 10_000;

forEachEngine((engine) => {
  const suite = iocSuite(engine);
  let api: Session;

  // One indicator more than the maximum of bulk changes, reports and offset paging.
  beforeAll(async () => {
    api = await suite.open();
    const lines = Array.from({ length: ceiling + 1 }, (_, index) =>
      JSON.stringify(domain(`host-${index}.example`, { source: index === 0 ? "first" : "rest" })),
    );
    const { imported } = await importRecords(api.store, {
      cid: api.tenant.cid,
      kind: "indicators",
      lines,
      clock: api.clock,
    });
    expect(imported).toBe(lines.length);
  });

  test("a bulk update of more than 10,000 is rejected", async () => {
    const answer = await api.update<ErrorBody>({
      bulk_update: { filter: "id:*", severity: "low" },
    });
    expect(answer.status).toBe(400);
    expect(messages(answer)).toEqual([
      expect.stringMatching(/^body\.bulk_update\.filter: selects 10001 indicators/),
    ]);
  });

  test("a report of more than 10,000 is rejected", async () => {
    const answer = await api.request<ErrorBody>("POST", paths.report, {
      body: { report_format: "csv" },
    });
    expect(answer.status).toBe(400);
    expect(messages(answer)[0]).toMatch(/more than 10000 indicators/);
  });

  test("offset paging reaches 10,000 records, a cursor reaches all", async () => {
    const page = (query: Record<string, string | number>) =>
      api.request<string[]>("GET", paths.search, { query: { limit: 2_000, ...query } });
    const last = await page({ offset: 8_000 });
    expect(last.body).toHaveLength(2_000);
    expect(last.headers.get("x-total-count")).toBe("10001");
    expect(last.headers.get("link")).toMatch(/^<[^>]*after=[^>]*>; rel="next"/);
    expect((await page({ offset: 8_001 })).status).toBe(400);
    const seen = new Set<string>();
    let after: string | null = "";
    for (let pages = 0; after !== null && pages < 10; pages += 1) {
      const answer: Awaited<ReturnType<typeof page>> = await page(after === "" ? {} : { after });
      for (const id of answer.body) seen.add(id);
      after = answer.headers.get("x-pagination-after");
    }
    expect(seen.size).toBe(ceiling + 1);
  });

  test("a data frame of more than 10,000 rows requires a limit", async () => {
    const all = { id: "all", res_id: "all", operator: { type: "source", resource: "indicators" } };
    const ask = (nodes: object[], res_id: string) =>
      api.request<ErrorBody>("POST", paths.sdmf, { body: { id: "q", nodes, res_id } });
    const refused = await ask([all], "all");
    expect(refused.status).toBe(400);
    expect(messages(refused)[0]).toMatch(/node all produces more than 10000 rows/);
    const count = {
      type: "group",
      input: "all",
      by: ["source"],
      measures: [{ function: "count", as: "n" }],
    };
    const counted = await ask([all, { id: "g", res_id: "g", operator: count }], "g");
    expect(counted.body).toEqual([
      { source: "first", n: 1 },
      { source: "rest", n: ceiling },
    ]);
  });

  test(
    "a bulk delete of 10,000 succeeds, of more it is rejected",
    { tags: ["exhaustive"] },
    async () => {
      const refused = await api.remove<ErrorBody>({ filter: "id:*" });
      expect(refused.status).toBe(400);
      expect(messages(refused)[0]).toMatch(/^query\.filter: selects 10001/);
      const answer = await api.remove({ filter: "source:'rest'" });
      expect(answer.body).toHaveLength(ceiling);
      expect(await api.values({})).toEqual(["host-0.example"]);
    },
  );
});
