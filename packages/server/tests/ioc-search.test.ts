import { describe, expect, test } from "vitest";
import { forEachEngine } from "./support/engines.ts";
import { fillIn } from "./support/fill-in.ts";
import {
  domain,
  hash,
  haveHostGroup,
  iocSuite,
  paths,
  type Indicator,
  type Session,
} from "./support/ioc.ts";
import { hours, minutes } from "./support/manual-clock.ts";
import { once } from "./support/once.ts";
import { type ErrorBody, ahead, messages } from "./support/session.ts";

interface Result {
  readonly name: string;
  readonly buckets: readonly {
    readonly label: unknown;
    readonly count: number;
    readonly value?: number;
  }[];
}

const list = (api: Session, query: Record<string, string | number | boolean>) =>
  api.request<readonly Indicator[]>("GET", paths.combined, { query });

forEachEngine((engine) => {
  const suite = iocSuite(engine);

  test("expiry takes effect at its instant in responses, filters, sorts and aggregates", async () => {
    const api = await suite.open();
    const [a] = await api.stored(
      domain("a.example", {
        platforms: ["windows", "ios"],
        mobile_action: "prevent",
        expiration: ahead(api, hours(1)),
      }),
      domain("b.example"),
    );
    const seen = async () => ({
      record: (await api.get(a?.id ?? "")).body[0],
      expired: await api.values({ filter: "expired:true" }),
      acting: await api.values({ filter: "action:'detect'", sort: "value" }),
      sorted: await api.values({ sort: "expired.desc,value.desc" }),
      counted: (
        await api.request<Result[]>("POST", paths.aggregates, {
          body: [{ name: "n", type: "terms", field: "action", sort: "_term" }],
        })
      ).body[0]?.buckets.map(({ label, count }) => [label, count]),
    });
    api.clock.advance(hours(1) - 1);
    expect(await seen()).toMatchObject({
      record: { expired: false, action: "detect", mobile_action: "prevent" },
      expired: [],
      acting: ["a.example", "b.example"],
      sorted: ["b.example", "a.example"],
      counted: [["detect", 2]],
    });
    api.clock.advance(1);
    expect(await seen()).toMatchObject({
      record: { expired: true, action: "no_action", mobile_action: "no_action", severity: "high" },
      expired: ["a.example"],
      acting: ["b.example"],
      sorted: ["a.example", "b.example"],
      counted: [
        ["detect", 1],
        ["no_action", 1],
      ],
    });
  });

  describe("the filter fields of the specification, and further ones", () => {
    const a = "a".repeat(64);
    const b = "b.example";
    const c = "203.0.113.9";
    const filled = once(async () => {
      const api = await suite.open();
      await haveHostGroup(api, "7d0c4a9be1f24c36a58b9d1e2f304152");
      await api.stored(
        hash("a", {
          source: "Feed",
          tags: ["x", "y"],
          metadata: { filename: "Tool.exe" },
          severity: "critical",
        }),
        domain(b, {
          platforms: ["mac", "linux"],
          applied_globally: false,
          host_groups: ["7d0c4a9be1f24c36a58b9d1e2f304152"],
          expiration: ahead(api, hours(5)),
        }),
        domain(c, { type: "ipv4", severity: "low", description: "Sinkhole" }),
      );
      return api;
    });

    test.each([
      ["type:'sha256'", [a]],
      ["value:'{A}'", [a]],
      ["value:*'203.0.113.*'", [c]],
      ["action:['detect','prevent']", [c, a, b]],
      ["severity:!'high'", [c, a]],
      ["severity_number:>=70", [a, b]],
      ["platforms:'mac'+platforms:'linux'", [b]],
      ["platforms:['mac','windows']", [c, a, b]],
      ["tags:'x'+tags:'y'", [a]],
      ["tags:null", [c, b]],
      ["expiration:>'now'+expiration:<'now+6h'", [b]],
      ["expiration:!*", [c, a]],
      ["applied_globally:false", [b]],
      ["host_groups:'7d0c4a9be1f24c36a58b9d1e2f304152'", [b]],
      ["created_on:>'now-1h'+modified_on:<='now'", [c, a, b]],
      ["created_by:'{client}'+modified_by:'{client}'", [c, a, b]],
      ["source:'Feed'", [a]],
      ["source:~'fee d'", [a]],
      ["metadata.filename:'tool.EXE'", [a]],
      ["metadata.filename.raw:'tool.exe'", []],
      ["description:*'sink*'", [c]],
      ["(type:'ipv4',tags:'x')+severity:!'low'", [a]],
      ["from_parent:true", []],
    ])("%s", async (text, values) => {
      const api = await filled();
      const filter = fillIn(text, { A: a.toUpperCase(), client: api.clientId });
      expect(await api.values({ filter, sort: "value" })).toEqual(values);
    });
  });

  test("an invalid query gets a helpful error", async () => {
    const api = await suite.open();
    const wrong = async (query: Record<string, string | number>) => {
      const answer = await api.request<ErrorBody>("GET", paths.search, { query });
      expect(answer.status).toBe(400);
      return messages(answer).join("\n");
    };
    expect(await wrong({ filter: "severty:'high'" })).toMatch(/^Invalid filter.*severity/s);
    expect(await wrong({ filter: "type:'sha265'" })).toMatch(/^Invalid filter.*sha256/s);
    expect(await wrong({ sort: "tags" })).toContain("tags");
    expect(await wrong({ limit: 2_001 })).toMatch(/^query\.limit: /);
    expect(await wrong({ limit: 0 })).toMatch(/^query\.limit: /);
    expect(await wrong({ offset: 9_999, limit: 2 })).toMatch(/^query\.offset: .*after/);
    expect(await wrong({ offset: 0, after: "x" })).toMatch(/^query\.after: /);
    expect(await wrong({ after: "nonsense" })).toMatch(/^query\.after: /);
  });

  test("newest first by default; every sort of the specification works", async () => {
    const api = await suite.open();
    for (const name of ["b", "a", "c"]) {
      await api.stored(domain(`${name}.example`));
      api.clock.advance(minutes(1));
    }
    expect(await api.values({})).toEqual(["c.example", "a.example", "b.example"]);
    expect(await api.values({ sort: "" })).toEqual(["c.example", "a.example", "b.example"]);
    expect(await api.values({ sort: "value|desc" })).toEqual([
      "c.example",
      "b.example",
      "a.example",
    ]);
    const fields = [
      "action",
      "applied_globally",
      "metadata.av_hits",
      "metadata.company_name.raw",
      "created_by",
      "created_on",
      "expiration",
      "expired",
      "metadata.filename.raw",
      "modified_by",
      "modified_on",
      "metadata.original_filename.raw",
      "metadata.product_name.raw",
      "metadata.product_version",
      "severity_number",
      "source",
      "type",
      "value",
    ];
    for (const field of fields) {
      expect(await api.values({ sort: `${field}.desc` }), field).toHaveLength(3);
    }
  });

  test("offset pages have a total and links", async () => {
    const api = await suite.open();
    await api.stored(...Array.from({ length: 5 }, (_, index) => domain(`${index}.example`)));
    const page = await list(api, { sort: "value", offset: 2, limit: 2 });
    expect(page.body.map(({ value }) => value)).toEqual(["2.example", "3.example"]);
    expect(page.headers.get("x-total-count")).toBe("5");
    expect(page.headers.get("x-pagination-offset")).toBe("2");
    expect(page.headers.get("link")).toMatch(/offset=4.*rel="next".*rel="prev".*rel="first"/);
    expect((await list(api, { offset: 9 })).body).toEqual([]);
    const second = await list(api, { sort: "value", offset: 1, limit: 2 });
    expect(second.headers.get("link")).toMatch(/[?&]offset=0[^0-9].*rel="prev"/);
    const first = await list(api, { sort: "value", offset: 0, limit: 2 });
    expect(first.headers.get("link")).not.toMatch(/rel="(?:prev|first)"/);
  });

  test("pages by cursor after a page by offset keep its total, and count on", async () => {
    const api = await suite.open();
    await api.stored(...Array.from({ length: 5 }, (_, index) => domain(`${index}.example`)));
    let page = await list(api, { sort: "value", offset: 0, limit: 2 });
    for (const offset of ["2", "4"]) {
      const after = page.headers.get("x-pagination-after") ?? "";
      page = await list(api, { sort: "value", limit: 2, after });
      expect(page.headers.get("x-pagination-offset")).toBe(offset);
      expect(page.headers.get("x-total-count")).toBe("5");
      expect(page.body[0]?.value).toBe(`${offset}.example`);
    }
    expect(page.headers.has("x-pagination-after")).toBe(false);
  });

  test("a page that ends with the last record has no next page", async () => {
    const api = await suite.open();
    await api.stored(...Array.from({ length: 5 }, (_, index) => domain(`${index}.example`)));
    for (const [offset, limit, isLast] of [
      [3, 1, false],
      [3, 2, true],
      [4, 1, true],
      [0, 4, false],
      [0, 5, true],
    ] as const) {
      const page = await list(api, { sort: "value", offset, limit });
      expect(page.body, `${offset}`).toHaveLength(limit);
      const link = page.headers.get("link") ?? "";
      expect([offset, limit, link.includes('rel="next"')]).toEqual([offset, limit, !isLast]);
      expect(page.headers.has("x-pagination-after")).toBe(!isLast);
    }
    const [whole, part] = [await list(api, { limit: 5 }), await list(api, { limit: 4 })];
    expect(whole.headers.has("x-pagination-after")).toBe(false);
    expect(whole.headers.get("link") ?? "").not.toContain("next");
    const after = part.headers.get("x-pagination-after") ?? "";
    const last = await list(api, { limit: 1, after });
    expect(last.body).toHaveLength(1);
    expect(last.headers.has("x-pagination-after")).toBe(false);
  });

  test("offset and limit reach to the end of the window and no further", async () => {
    const api = await suite.open();
    await api.stored(domain("a.example"));
    for (const [offset, limit] of [
      [9_000, 1_000],
      [9_999, 1],
      [8_001, 1_999],
    ] as const) {
      expect((await list(api, { offset, limit })).status, `${offset}`).toBe(200);
      const beyond = await api.request<ErrorBody>("GET", paths.combined, {
        query: { offset, limit: limit + 1 },
      });
      expect(beyond.status, `${offset}`).toBe(400);
      expect(messages(beyond)).toEqual([
        "query.offset: offset + limit reach beyond 10000 records; page with after instead",
      ]);
    }
  });

  test("a scan by cursor returns everything once during concurrent writes", async () => {
    const api = await suite.open();
    const stored = await api.stored(
      ...Array.from({ length: 25 }, (_, index) =>
        domain(`${String(index).padStart(2, "0")}.example`, { expiration: ahead(api, hours(1)) }),
      ),
    );
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const query = { sort: "value", limit: 10, filter: "expired:false" };
      const page: Awaited<ReturnType<typeof list>> = await list(
        api,
        after === null ? query : { ...query, after },
      );
      expect(page.status, page.text).toBe(200);
      expect(page.headers.has("x-total-count")).toBe(false);
      expect(page.headers.has("x-pagination-offset")).toBe(false);
      seen.push(...page.body.map(({ value }) => value));
      after = page.headers.get("x-pagination-after");
      await api.stored(domain(`00-${seen.length}.example`), domain(`99-${seen.length}.example`));
      await api.update({ indicators: [{ id: stored[12]?.id, tags: [`seen-${seen.length}`] }] });
      api.clock.advance(hours(1));
    } while (after !== null);
    expect(seen).toEqual(stored.map(({ value }) => value));
  });

  test("a cursor belongs to its query", async () => {
    const api = await suite.open();
    await api.stored(domain("a.example"), domain("b.example"));
    const first = await list(api, { limit: 1, sort: "value" });
    const after = first.headers.get("x-pagination-after") ?? "";
    expect((await list(api, { limit: 1, sort: "value", after })).body).toHaveLength(1);
    expect((await list(api, { limit: 1, sort: "value.desc", after })).status).toBe(400);
    const both = await api.request<ErrorBody>("GET", paths.combined, {
      query: { limit: 1, sort: "value", after, offset: 1 },
    });
    expect([both.status, messages(both)]).toEqual([
      400,
      ["query.after: cannot be combined with offset; send one of them"],
    ]);
    expect(
      (await list(api, { limit: 1, sort: "value", filter: "type:'domain'", after })).status,
    ).toBe(400);
    expect((await list(api, { limit: 1, sort: "value", from_parent: false, after })).status).toBe(
      400,
    );
    const other = await suite.open();
    expect((await list(other, { limit: 1, sort: "value", after })).status).toBe(400);
  });

  test("search returns the ids of the records that combined returns", async () => {
    const api = await suite.open();
    await api.stored(domain("a.example"), domain("b.example"), domain("c.example"));
    const query = { sort: "value.desc", limit: 2 };
    const ids = await api.request<string[]>("GET", paths.search, { query });
    expect(ids.body).toEqual((await list(api, query)).body.map(({ id }) => id));
    expect(ids.headers.get("x-pagination-after")).toBeTruthy();
  });

  test("get returns the requested order without duplicates, and names missing ids", async () => {
    const api = await suite.open();
    const [a, b] = await api.stored(domain("a.example"), domain("b.example"));
    const [idA, idB] = [a?.id ?? "", b?.id ?? ""];
    const both = await api.get(idB, idA, idB);
    expect(both.body.map(({ id }) => id)).toEqual([idB, idA]);
    const missing = "0".repeat(64);
    const partly = await api.get<ErrorBody>(idA, missing);
    expect(partly.status).toBe(404);
    expect(partly.body.errors.map(({ id }) => id)).toEqual([missing]);
    expect(partly.body.resources).toEqual([a]);
    expect((await api.get("nonsense")).status).toBe(400);
    expect((await (await suite.open()).get(idA)).status).toBe(404);
  });

  test("aggregates return one result per specification, within filter and scope", async () => {
    const api = await suite.open();
    await api.stored(
      hash("a", { severity: "critical", tags: ["x", "y"] }),
      domain("b.example", { tags: ["x"] }),
      domain("c.example", { severity: "low" }),
    );
    const ask = (body: unknown, query = {}) =>
      api.request<Result[]>("POST", paths.aggregates, { body, query });
    const single = await ask({ name: "types", type: "terms", field: "type" });
    expect(single.status, single.text).toBe(200);
    expect(single.body[0]?.buckets.map(({ label, count }) => [label, count])).toEqual([
      ["domain", 2],
      ["sha256", 1],
    ]);
    const several = await ask(
      [
        { name: "tags", type: "terms", field: "tags", sort: "_term" },
        { name: "worst", type: "max", field: "severity_number" },
      ],
      { filter: "severity_number:>30" },
    );
    expect(several.body.map(({ name }) => name)).toEqual(["tags", "worst"]);
    expect(several.body[0]?.buckets.map(({ label, count }) => [label, count])).toEqual([
      ["x", 2],
      ["y", 1],
    ]);
    expect(several.body[1]?.buckets[0]?.value).toBe(90);
    const bad = await api.request<ErrorBody>("POST", paths.aggregates, {
      body: [{ name: "h", type: "date_histogram", field: "created_on" }],
    });
    expect(bad.status).toBe(400);
    expect(messages(bad)[0]).toMatch(/^body\[0\]\.interval/);
  });
});
