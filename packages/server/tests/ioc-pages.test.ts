import { expect, test } from "vitest";
import { importRecords } from "../src/imports/index.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { domain, iocSuite, paths } from "./support/ioc.ts";
import { followLinks } from "./support/links.ts";
import { hours, minutes } from "./support/manual-clock.ts";
import { messages, type ErrorBody } from "./support/session.ts";

withPostgresAtNight((engine) => {
  const suite = iocSuite(engine);

  test("links lead past the window, by cursor, and visit each record once", async () => {
    const api = await suite.open();
    const count = 10_001;
    const outcome = await importRecords(api.store, {
      cid: api.tenant.cid,
      kind: "indicators",
      lines: Array.from({ length: count }, (_, index) =>
        JSON.stringify(domain(`${index}.example`)),
      ),
      clock: api.clock,
    });
    expect(outcome).toMatchObject({ imported: count, problems: [] });
    const at = (offset: number) => `${paths.search}?sort=value&offset=${offset}&limit=500`;
    const next = async (offset: number) => {
      const { headers } = await api.request("GET", at(offset));
      const link = /<([^>]*)>; rel="next"/.exec(headers.get("link") ?? "")?.[1] ?? "";
      return new URL(link, "http://localhost").searchParams;
    };
    expect((await next(9_000)).get("offset")).toBe("9500");
    const beyond = await next(9_500);
    expect([beyond.has("offset"), beyond.has("after"), beyond.get("limit")]).toEqual([
      false,
      true,
      "500",
    ]);
    const pages = await followLinks<string>(api, at(8_900));
    expect(pages.map(({ status, body }) => [status, body.length])).toEqual([
      [200, 500],
      [200, 500],
      [200, 101],
    ]);
    expect(new Set(pages.flatMap(({ body }) => body)).size).toBe(count - 8_900);
  });

  test.each([
    ["hashes", 120, (index: number) => String(index).padStart(64, "a")],
    ["short values", 800, (index: number) => `${index}.com`],
  ])(
    "links with a filter of many %s fit into the headers of a client",
    async (_, count, valueOf) => {
      const api = await suite.open();
      const values = Array.from({ length: count }, (_none, index) => `'${valueOf(index)}'`);
      const filter = `value:!['${"b".repeat(64)}']+value:![${values.join(",")}]`;
      expect(filter.length).toBeGreaterThan(7_500);
      expect(filter.length).toBeLessThanOrEqual(8_192);
      await api.stored(...["x.org", "y.org", "z.org"].map((value) => domain(value)));
      const pageAt = (query: Record<string, string | number>) =>
        followLinks<string>(
          api,
          `${paths.search}?${new URLSearchParams({ filter, sort: "value", limit: "1", ...query })}`,
        );
      for (const [query, expected] of [
        [{}, 3],
        [{ offset: 1 }, 2],
      ] as const) {
        const pages = await pageAt(query);
        expect(pages.map(({ status, body }) => [status, body.length])).toEqual(
          Array.from({ length: expected }, () => [200, 1]),
        );
        for (const { headers } of pages) {
          expect(headers.get("link") ?? "").not.toMatch(/rel="(?:prev|first)"/);
        }
      }
    },
  );

  test("a cursor whose records are no longer kept is refused, and the list starts again", async () => {
    const api = await suite.open();
    const stored = await api.stored(domain("a.example"), domain("b.example"), domain("c.example"));
    const query = { limit: 1, sort: "value" };
    const first = await api.request("GET", paths.combined, { query });
    const after = first.headers.get("x-pagination-after") ?? "";
    await api.update({ indicators: [{ id: stored[1]?.id, tags: ["changed"] }] });
    api.clock.advance(hours(2));
    await api.store.sweep(api.clock.now());
    const rest = await api.request<ErrorBody>("GET", paths.combined, {
      query: { ...query, after },
    });
    expect([rest.status, messages(rest)]).toEqual([
      400,
      ["query.after: this cursor is too old; start again without after"],
    ]);
    expect(await api.values({ sort: "value" })).toEqual(["a.example", "b.example", "c.example"]);
  });

  test("a filter with a relative time follows the clock each time it is sent", async () => {
    const api = await suite.open();
    await api.stored(domain("a.example"));
    const filters = ["created_on:>'now-1h'", "created_on:<='now-1h'"];
    const found = () => Promise.all(filters.map((filter) => api.values({ filter })));
    expect(await found()).toEqual([["a.example"], []]);
    api.clock.advance(minutes(59));
    expect(await found()).toEqual([["a.example"], []]);
    api.clock.advance(minutes(1));
    expect(await found()).toEqual([[], ["a.example"]]);
  });

  test("a first page that contains the whole list has its total; a last page by cursor has none", async () => {
    const api = await suite.open();
    await api.stored(domain("a.example"), domain("b.example"));
    const page = async (query: Record<string, string | number>) => {
      const { headers } = await api.request("GET", paths.search, { query });
      return {
        after: headers.get("x-pagination-after") ?? "",
        facts: [headers.get("x-total-count"), headers.get("x-pagination-offset")],
      };
    };
    expect((await page({ limit: 2 })).facts).toEqual(["2", "0"]);
    expect((await page({ limit: 2, filter: "value:'none.example'" })).facts).toEqual(["0", "0"]);
    const first = await page({ limit: 1 });
    expect(first.facts).toEqual([null, null]);
    expect((await page({ limit: 1, after: first.after })).facts).toEqual([null, null]);
  });

  test("a cursor continues its query, whatever the order of the parameters is", async () => {
    const api = await suite.open();
    await api.stored(domain("a.example"), domain("b.example"));
    const parameters = ["sort=value", "filter=type:'domain'", "from_parent=false", "limit=1"];
    const url = (order: readonly string[]) => `${paths.search}?${order.join("&")}`;
    const first = await api.request<string[]>("GET", url(parameters));
    const after = `after=${first.headers.get("x-pagination-after")}`;
    for (const order of [
      [...parameters, after],
      [after, ...parameters.toReversed()],
    ]) {
      const rest = await api.request<string[]>("GET", url(order));
      expect([rest.status, rest.body.length], rest.text).toEqual([200, 1]);
      expect(rest.body).not.toEqual(first.body);
    }
  });
});
