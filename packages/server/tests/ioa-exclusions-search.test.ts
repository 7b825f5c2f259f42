import { describe, expect, test } from "vitest";
import { withPostgresAtNight } from "./support/engines.ts";
import {
  exclusion,
  exclusionSuite,
  hex,
  paths,
  type Exclusion,
  type Session,
} from "./support/ioa-exclusions.ts";
import { type ErrorBody, messages } from "./support/session.ts";

/** Names in the order of the response. */
async function found(
  { request, get }: Session,
  query: Record<string, string | number>,
  path: string = paths.search,
): Promise<readonly string[]> {
  const answer = await request<readonly string[]>("GET", path, { query });
  expect(answer.status, answer.text).toBe(200);
  if (answer.body.length === 0) return [];
  return (await get(...answer.body)).body.map(({ name }) => name);
}

withPostgresAtNight((engine) => {
  const suite = exclusionSuite(engine);

  async function filled(): Promise<Session> {
    const session = await suite.open();
    const { clock, newGroup, stored } = session;
    const group = await newGroup(hex("7"));
    await stored(exclusion("delta", { pattern_id: "5702", host_groups: ["all"] }));
    clock.advance(1_000);
    await stored(
      exclusion("Alpha", { cl_regex: "x+", description: "Of Alpha", host_groups: [group] }),
    );
    clock.advance(1_000);
    await stored(
      exclusion("charlie", {
        cl_regex: "x+",
        parent_ifn_regex: ".*p",
        parent_cl_regex: "p",
        grandparent_ifn_regex: ".*g",
        grandparent_cl_regex: "g",
        pattern_id: "99",
        comment: "Later",
      }),
    );
    return session;
  }

  describe("search", () => {
    test("combines the six expressions and the filter", async () => {
      const session = await filled();
      expect(await found(session, { cl_regex: "x+" })).toEqual(["Alpha", "charlie"]);
      expect(await found(session, { cl_regex: "X+" })).toEqual([]);
      expect(await found(session, { cl_regex: "x+", filter: "pattern_id:'99'" })).toEqual([
        "charlie",
      ]);
      expect(
        await found(session, {
          ifn_regex: String.raw`.*\\charlie\.exe`,
          cl_regex: "x+",
          parent_ifn_regex: ".*p",
          parent_cl_regex: "p",
          grandparent_ifn_regex: ".*g",
          grandparent_cl_regex: "g",
        }),
      ).toEqual(["charlie"]);
      for (const [name, value] of Object.entries({
        parent_ifn_regex: ".*p",
        parent_cl_regex: "p",
        grandparent_ifn_regex: ".*g",
        grandparent_cl_regex: "g",
      })) {
        expect(await found(session, { [name]: value })).toEqual(["charlie"]);
        expect(await found(session, { [name]: `${value}.` })).toEqual([]);
      }
    });

    test.each([
      ["name:'ALPHA'", ["Alpha"]],
      ["name:*'*l*'+applied_globally:false", ["Alpha", "charlie"]],
      ["applied_globally:true", ["delta"]],
      [`host_groups:'${hex("7")}'`, ["Alpha"]],
      ["pattern_name:'enumeration of installed software'", ["delta"]],
      ["pattern_name:'99'", ["charlie"]],
      ["pattern_name:null", []],
      ["comment:'later'", ["charlie"]],
      ["description:~'of alpha'", ["Alpha"]],
      ["parent_ifn_regex:null", ["delta", "Alpha"]],
      ["created_on:>'2020-01-01'+cl_regex:'x+'", ["Alpha", "charlie"]],
      ["", ["delta", "Alpha", "charlie"]],
    ])("filter %j", async (filter, names) => {
      expect(await found(await filled(), { filter })).toEqual(names);
    });

    test.each([
      ["name", ["Alpha", "charlie", "delta"]],
      ["name.desc", ["delta", "charlie", "Alpha"]],
      ["name|asc", ["Alpha", "charlie", "delta"]],
      ["pattern_id.asc", ["Alpha", "delta", "charlie"]],
      ["pattern_name.desc", ["Alpha", "delta", "charlie"]],
      ["last_modified.desc", ["charlie", "Alpha", "delta"]],
      ["created_by.asc,name.desc", ["delta", "charlie", "Alpha"]],
      ["modified_by.desc,name.asc", ["Alpha", "charlie", "delta"]],
    ])("sort %s", async (sort, names) => {
      expect(await found(await filled(), { sort })).toEqual(names);
    });

    test("pages with a total", async () => {
      const session = await filled();
      const { request } = session;
      const page = await request("GET", paths.search, {
        query: { limit: 1, offset: 1, sort: "name" },
      });
      expect(page.body).toHaveLength(1);
      expect(page.headers.get("x-total-count")).toBe("3");
      expect(page.headers.get("link")).toContain('rel="next"');
      const narrowed = await request("GET", paths.search, { query: { cl_regex: "x+" } });
      expect(narrowed.headers.get("x-total-count")).toBe("2");
    });

    test.each([
      [{ limit: 0 }],
      [{ limit: 501 }],
      [{ offset: -1 }],
      [{ sort: "created_on" }],
      [{ sort: "applied_globally.asc" }],
      [{ sort: "nope.asc" }],
      [{ sort: "name.up" }],
      [{ filter: "nope:1" }],
      [{ filter: "name:" }],
      [{ cl_regex: "" }],
      [{ cl_regex: "x".repeat(257) }],
      [{ after: "x" }],
    ])("rejects %j", async (query) => {
      const { request } = await suite.open();
      const answer = await request<ErrorBody>("GET", paths.search, { query });
      expect(answer.status, answer.text).toBe(400);
      expect(messages(answer)).toHaveLength(1);
    });
  });

  describe("search of version 1", () => {
    test("finds all exclusions, with its own two expressions and more sorts", async () => {
      const session = await filled();
      const v1 = (query: Record<string, string | number>) => found(session, query, paths.searchV1);
      expect(await v1({})).toEqual(["delta", "Alpha", "charlie"]);
      expect(await v1({ cl_regex: "x+", filter: "pattern_id:'99'" })).toEqual(["charlie"]);
      expect(await v1({ ifn_regex: String.raw`.*\\delta\.exe` })).toEqual(["delta"]);
      expect(await v1({ sort: "created_on.desc" })).toEqual(["charlie", "Alpha", "delta"]);
      expect(await v1({ sort: "applied_globally.desc,name" })).toEqual([
        "delta",
        "Alpha",
        "charlie",
      ]);
      expect(await v1({ sort: "name.asc", limit: 500 })).toEqual(["Alpha", "charlie", "delta"]);
    });

    test.each([
      [{ limit: 501 }],
      [{ sort: "description" }],
      [{ sort: "nope" }],
      [{ filter: "cl_regex:'x+'" }],
      [{ parent_cl_regex: "p" }],
    ])("rejects %j", async (query) => {
      const { request } = await suite.open();
      const answer = await request("GET", paths.searchV1, { query });
      expect(answer.status, answer.text).toBe(400);
    });
  });

  describe("aggregates", () => {
    test("count the exclusions that have the requested expressions", async () => {
      const { request } = await filled();
      const body = {
        name: "by-name",
        type: "terms",
        field: "name",
        filter: "applied_globally:false",
      };
      const buckets = async (query: Record<string, string>, asked: object = body) => {
        const answer = await request<readonly { buckets: readonly { label: string }[] }[]>(
          "POST",
          paths.aggregates,
          { query, body: asked },
        );
        expect(answer.status, answer.text).toBe(200);
        return answer.body.map((result) => result.buckets.map(({ label }) => label));
      };
      expect(await buckets({})).toEqual([["Alpha", "charlie"]]);
      expect(await buckets({ parent_cl_regex: "p", cl_regex: "x+" })).toEqual([["charlie"]]);
      expect(
        await buckets({ cl_regex: "x+" }, [
          { name: "patterns", type: "terms", field: "pattern_id", sort: "_term.asc" },
          body,
        ] as unknown as object),
      ).toEqual([
        ["41005", "99"],
        ["Alpha", "charlie"],
      ]);
      const wrong = await request("POST", paths.aggregates, {
        body: { name: "x", type: "terms", field: "nope" },
      });
      expect(wrong.status).toBe(400);
    });
  });

  describe("reports", () => {
    const header =
      "id,name,description,comment,pattern_id,pattern_name,ifn_regex,cl_regex,parent_ifn_regex," +
      "parent_cl_regex,grandparent_ifn_regex,grandparent_cl_regex,host_groups,applied_globally," +
      "detection_json,created_on,created_by,last_modified,modified_by";

    interface Report {
      readonly resources: readonly {
        readonly content: string;
        readonly row_count: number;
        readonly file_name: string;
      }[];
      readonly errors: readonly unknown[];
    }

    test("are CSV or JSON, in an Envelope", async () => {
      const { request, get, clientId } = await filled();
      const report = async (body: object) => {
        const answer = await request<Report>("POST", paths.report, { body });
        expect(answer.status, answer.text).toBe(200);
        return answer.body.resources[0];
      };
      const search = { filter: "pattern_id:'41005'" };
      const csv = await report({ report_format: "csv", search });
      const [head, row, end] = csv?.content.split("\r\n") ?? [];
      expect([head, end, csv?.row_count]).toEqual([header, "", 1]);
      expect(row?.split(",").slice(1, 14)).toEqual([
        "Alpha",
        "Of Alpha",
        "",
        "41005",
        "Shadow copies touched by an unusual program",
        String.raw`.*\\Alpha\.exe`,
        "x+",
        "",
        "",
        "",
        "",
        hex("7"),
        "false",
      ]);
      expect(row).toContain(clientId);
      expect(csv?.file_name).toMatch(/^ioa-exclusions-\d{8}T\d{6}Z\.csv$/);
      const json = await report({ report_format: "json", search: { sort: "name.desc" } });
      const rows = JSON.parse(json?.content ?? "") as readonly Exclusion[];
      expect(rows.map(({ name }) => name)).toEqual(["delta", "charlie", "Alpha"]);
      expect((await get(rows[0]?.id ?? "")).body[0]).toEqual(rows[0]);
      const all = await report({ report_format: "json" });
      expect(all?.row_count).toBe(3);
    });

    test.each([
      [{ report_format: "pdf" }],
      [{}],
      [{ report_format: "csv", search: { filter: "nope:1" } }],
      [{ report_format: "csv", search: { sort: "created_on" } }],
    ])("reject %j", async (body) => {
      const { request } = await suite.open();
      expect((await request("POST", paths.report, { body })).status).toBe(400);
    });

    test("contain at most ten thousand exclusions", { tags: ["exhaustive"] }, async () => {
      const { request, store, tenant, clock, stored } = await suite.open();
      const [one] = await stored(exclusion("one"));
      const { exclusions } = await import("../src/domain/ioa-exclusions/exclusions.ts");
      await store.write(tenant.cid, async (transaction) => {
        const many = Array.from({ length: 10_000 }, (_, index) => ({
          ...(one as Exclusion),
          id: index.toString(16).padStart(32, "0"),
          cl_regex: `x{${index}}`.slice(0, 20),
        }));
        await transaction.records(exclusions).insert(many, clock.now());
      });
      const over = await request<ErrorBody>("POST", paths.report, {
        body: { report_format: "csv" },
      });
      expect(over.status).toBe(400);
      expect(messages(over)).toEqual([expect.stringContaining("more than 10000 exclusions")]);
      const exactly = await request<Report>("POST", paths.report, {
        body: { report_format: "csv", search: { filter: "cl_regex:!'.*'" } },
      });
      expect(exactly.body.resources[0]?.row_count).toBe(10_000);
    });
  });
});
