import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { importRecords } from "../src/imports/index.ts";
import { StoreUnavailableError } from "../src/store/types/errors.ts";
import type { Store } from "../src/store/types/types.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import {
  domain,
  iocSuite,
  paths,
  type Indicator,
  type IndicatorInput,
  type Session,
} from "./support/ioc.ts";
import { type ErrorBody, messages } from "./support/session.ts";

const ceiling = 10_000;
/** Number of indicators in one transaction of a bulk change. */
const batch = 500;

type Write = Store["write"];

/** Replaces the store's writes until the end of the test. */
function replaceWrite(
  store: Store,
  replacement: (write: Write, args: Parameters<Write>) => unknown,
) {
  const original = store.write.bind(store);
  store.write = ((...args: Parameters<Write>) => replacement(original, args)) as Write;
  const restore = () => {
    store.write = original;
  };
  onTestFinished(restore);
  return restore;
}

async function fill(
  api: Session,
  count: number,
  more: (index: number) => Partial<IndicatorInput>,
): Promise<void> {
  const lines = Array.from({ length: count }, (_, index) =>
    JSON.stringify(domain(`host-${index}.example`, more(index))),
  );
  const { cid } = api.tenant;
  const { imported } = await importRecords(api.store, {
    cid,
    kind: "indicators",
    lines,
    clock: api.clock,
  });
  expect(imported).toBe(lines.length);
}

withPostgresAtNight((engine) => {
  const suite = iocSuite(engine);
  let api: Session;

  // One indicator more than the maximum of bulk changes, reports and offset paging.
  beforeAll(async () => {
    api = await suite.open();
    await fill(api, ceiling + 1, (index) => ({ source: index === 0 ? "first" : "rest" }));
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
    "a bulk update changes more than 10,000 indicators, and lists the first 10,000",
    { tags: ["exhaustive"] },
    async () => {
      const answer = await api.update({ bulk_update: { filter: "id:*", severity: "low" } });
      expect([answer.status, answer.body.length]).toEqual([200, ceiling]);
      expect(answer.headers.get("x-affected-count")).toBe(String(ceiling + 1));
      expect(answer.body[0]).toMatchObject({ value: "host-0.example", severity: "low" });
      expect(await api.values({ filter: "severity:!'low'" })).toEqual([]);
    },
  );

  test(
    "a filter deletes more than 10,000 indicators, and the answer lists the first 10,000",
    { tags: ["exhaustive"] },
    async () => {
      const answer = await api.remove({ filter: "id:*" });
      expect([answer.status, answer.body.length]).toEqual([200, ceiling]);
      expect(answer.headers.get("x-affected-count")).toBe(String(ceiling + 1));
      expect(await api.values({})).toEqual([]);
    },
  );

  describe.each(["update", "remove"] as const)("a bulk %s of several batches", (kind) => {
    const most = 2 * batch + 1;
    const message = `${batch} indicators were changed before the following error, and stay changed; the same request, sent again, goes on with the others`;
    const request = (opened: Session, headers: Record<string, string> = {}) =>
      kind === "update"
        ? opened.request<readonly Indicator[] & ErrorBody>("PATCH", paths.indicators, {
            headers,
            query: { ignore_warnings: true },
            body: { bulk_update: { filter: "source:'old'", source: "new" }, comment: "many" },
          })
        : opened.request<readonly string[] & ErrorBody>("DELETE", paths.indicators, {
            headers,
            query: { filter: "source:'old'", comment: "many" },
          });
    const left = async (opened: Session): Promise<number> => {
      const query = { filter: "source:'old'", limit: 1, offset: 0 };
      const found = await opened.request("GET", paths.search, { query });
      return Number(found.headers.get("x-total-count"));
    };
    const open = async (): Promise<Session> => {
      const opened = await suite.open();
      await fill(opened, most + 2, (index) => ({ source: index < most ? "old" : "other" }));
      return opened;
    };

    test("stores each batch in a transaction with an entry in the audit trail, and lets others write between", async () => {
      const opened = await open();
      const other = await suite.open();
      let writes = 0;
      replaceWrite(opened.store, async (write, args) => {
        if (args[0] === opened.tenant.cid) {
          writes += 1;
          // Another transaction here would wait for ever if one of the change was open.
          if (writes === 2) await other.stored(domain("between.example"));
        }
        return write(...args);
      });
      const answer = await request(opened);
      expect([answer.status, answer.body.length, writes]).toEqual([200, most, 3]);
      expect(answer.headers.get("x-affected-count")).toBe(String(most));
      expect(await left(opened)).toBe(0);
      const entries = await opened.store.directory.auditEntries({
        cid: opened.tenant.cid,
        limit: 3,
      });
      expect(entries.map(({ ids }) => ids.length).toSorted((a, b) => a - b)).toEqual([
        1,
        batch,
        batch,
      ]);
      expect(new Set(entries.map(({ trace_id, comment }) => `${trace_id} ${comment}`)).size).toBe(
        1,
      );
    });

    test("keeps what it has changed if a later batch fails, says how much, and goes on if it is repeated", async () => {
      const opened = await open();
      let writes = 0;
      const restore = replaceWrite(opened.store, (write, args) => {
        writes += 1;
        return writes === 2
          ? Promise.reject(new StoreUnavailableError("the database is away"))
          : write(...args);
      });
      const headers = kind === "update" ? { "idempotency-key": `bulk-${kind}` } : {};
      const failed = await request(opened, headers);
      expect([failed.status, failed.headers.get("retry-after")]).toEqual([503, "5"]);
      expect(messages(failed)).toEqual([message, "the database does not respond; retry in 5 s"]);
      expect(await left(opened)).toBe(most - batch);
      restore();
      const again = await request(opened, headers);
      expect([again.status, again.body.length]).toEqual([200, most - batch]);
      expect(await left(opened)).toBe(0);
      if (kind === "remove") return;
      const replayed = await request(opened, headers);
      expect(replayed.headers.has("idempotency-replayed")).toBe(true);
      expect(replayed.text).toBe(again.text);
    });

    test("says nothing of earlier batches if the first one fails", async () => {
      const opened = await open();
      replaceWrite(opened.store, () => Promise.reject(new StoreUnavailableError("away")));
      const failed = await request(opened);
      expect(messages(failed)).toEqual(["the database does not respond; retry in 5 s"]);
      expect(await left(opened)).toBe(most);
    });

    test("leaves out what no longer matches when its batch is written", async () => {
      const opened = await open();
      const [last] = (
        await opened.request<readonly string[]>("GET", paths.search, {
          query: { filter: "value:'host-1000.example'" },
        })
      ).body;
      let writes = 0;
      const restore = replaceWrite(opened.store, async (write, args) => {
        writes += 1;
        if (writes === 2) {
          restore();
          await opened.update({ indicators: [{ id: last, source: "saved" }] });
        }
        return write(...args);
      });
      const answer = await request(opened);
      expect([answer.status, answer.body.length]).toEqual([200, most - 1]);
      expect(await opened.values({ filter: "source:'saved'" })).toEqual(["host-1000.example"]);
    });
  });

  test("a bulk update that is invalid for an indicator of a later batch changes none", async () => {
    const opened = await suite.open();
    await fill(opened, batch, () => ({ action: "no_action" }));
    const [later] = await opened.stored(domain("later.example"));
    const answer = await opened.update<ErrorBody>({
      bulk_update: { filter: "id:*", severity: "" },
    });
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toEqual([
      {
        code: 400,
        id: later?.id,
        message: expect.stringMatching(/^body\.bulk_update\.severity: /),
      },
    ]);
    expect(await opened.values({ filter: "severity:!'high'" })).toEqual([]);
  });

  test("the Envelope has the number of changed indicators", async () => {
    const opened = await suite.open();
    await opened.stored(domain("a.example"), domain("b.example"));
    const headers = { accept: "application/vnd.security-platform.envelope+json" };
    const changed = await opened.request("PATCH", paths.indicators, {
      headers,
      body: { bulk_update: { filter: "id:*", severity: "low" } },
    });
    const deleted = await opened.request("DELETE", paths.indicators, {
      headers,
      query: { filter: "id:*" },
    });
    for (const { body } of [changed, deleted]) {
      expect(body).toMatchObject({ meta: { writes: { resources_affected: 2 } } });
    }
    const none = await opened.remove({ filter: "id:*" });
    expect([none.status, none.body, none.headers.get("x-affected-count")]).toEqual([200, [], "0"]);
  });
});
