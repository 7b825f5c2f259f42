import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { textReport, type Report, type RunOptions } from "../src/index.ts";
import { alteringFetch, type Alteration } from "./fixture/altered-answers.ts";
import type { Defect } from "./fixture/defects.ts";
import { runWidgets } from "./fixture/run-widgets.ts";
import { WidgetServer } from "./fixture/widget-server.ts";

const run = (server: WidgetServer, options: Partial<RunOptions> = {}): Promise<Report> =>
  // Random bodies find a rare fault with most seeds, not with all.
  runWidgets(server, { requireAll: true, strictHeaders: true, seed: "faults", ...options });

test("a server that keeps every law passes, and no records are left behind", async () => {
  const server = new WidgetServer();
  const report = await run(server);
  expect(textReport(report)).not.toContain("FAILED");
  expect(report).toMatchObject({ failed: 0, notRun: 0, ok: true, problems: [] });
  expect(report.coverage).toMatchObject({ operations: 8, missing: [] });
  expect(report.coverage.covered).toBe(report.coverage.total);
  expect(server.count).toBe(0);
});

/** For each defect, the law under which it is found, and a part of what is said about it. */
const caught: Readonly<Record<Defect, readonly [law: string, message: RegExp]>> = {
  "clamps limits": ["limits", /wrong status/],
  "ignores the tenant": ["tenant", /exist|another tenant/],
  "reveals foreign records": ["tenant", /reveals that another tenant's records exist/],
  "shares names between tenants": ["tenant", /wrong status/],
  "drops a header": ["answer", /header X-Trace-Id: is documented as always present/],
  "adds a header": ["answer", /header x-powered-by: the document has no such header/],
  "adds a field": ["answer", /body\[0\]\.secret: the document has no such field/],
  "responds with another status": ["answer", /the document has 200, 400.*got 202/],
  "responds with another content type": ["answer", /expected application\/json, got text\/plain/],
  "requires no token": ["token", /wrong status/],
  "keeps revoked tokens": ["token", /wrong status/],
  "keeps expired tokens": ["token", /wrong status/],
  "knows one way to write a scheme": ["token", /wrong status/],
  "sends no challenge": ["token", /wrong challenge/],
  "ignores scopes": ["scope", /wrong status/],
  "skips a record when pages move": ["paging", /does not come exactly once|more than once/],
  "repeats a record": ["paging", /not the whole list/],
  "accepts a changed cursor": ["paging", /a changed cursor is not refused/],
  "continues the list of another tenant": ["paging", /wrong status/],
  "continues a list with another filter": ["paging", /another filter is not refused/],
  "continues a list with another sort": ["paging", /another sort is not refused/],
  "counts incorrectly": ["paging", /wrong X-Total-Count/],
  "sorts texts by length": ["paging", /not in the order/],
  "leaves nulls out of a negation": ["complement", /selects other records/],
  "loses page data in the envelope": ["envelope", /differs from the header/],
  "ignores unknown parameters": ["shape", /wrong status/],
  "ignores unknown fields": ["shape", /wrong status/],
  "omits the place": ["shape", /does not name the place/],
  "returns records in another order": ["answer", /not in the order asked/],
  "omits a field": ["answer", /does not hold the size that was sent/],
  "changes more than requested": ["answer", /size changed, unasked/],
  "removes nothing": ["answer", /can still be read/],
  "stores what it rejects": ["answer", /refused call wrote something/],
  "overwrites duplicates": ["answer", /wrong status/],
  "leaks internals": ["answer", /leaks internals/],
  "allows any method": ["answer", /Allow does not list/],
  "accepts any content type": ["answer", /wrong status/],
  "accepts bodies of any size": ["answer", /wrong status/],
  "accepts any number of fields": ["answer", /wrong status/],
  "responds with XML": ["answer", /wrong status/],
  "accepts every operator": ["operators", /is accepted/],
  "rejects presence conditions": ["operators", /:\* is refused/],
  "treats > as >=": ["operators", /:>\S+ selects other records/],
  "ignores case in globs": ["operators", /selects other records/],
  "respects case where it should not": ["operators", /:~\*\S+ selects other records/],
  "matches any list": ["operators", /:\[\S+ selects other records/],
  "ignores the direction": ["paging", /not in the order \w+\.desc/],
  "puts missing values first": ["paging", /not in the order colour/],
  "sorts in reverse": ["paging", /not in the order/],
  "removes what a change leaves out": ["patch", /(tags|active) changed with/],
  "ignores null": ["patch", /colour was not changed/],
  "stores false as absent": ["patch", /active was not changed/],
  "drops empty lists": ["patch", /tags was not changed/],
  "ignores one member of a change": ["patch", /size was not changed/],
  "reads deleted records": ["deleted", /can still be read/],
  "lists deleted records": ["deleted", /a list still has deleted records/],
  "changes deleted records": ["deleted", /can still be changed/],
  "reuses identifiers": ["deleted", /identifiers of deleted ones/],
  "fails on unusual text": ["random", /a server error/],
  "fails on a body of another type": ["random", /a server error/],
  "deletes records of other tenants": ["tenant", /another tenant|exist/],
  "lists records of other tenants": ["tenant", /records of another tenant|exist/],
  "never ends a list": ["paging", /do not come to an end|not the whole list/],
  "returns pages that are too long": ["paging", /a page is longer than its limit/],
  "links the last page to another": ["paging", /the last page of a list leads to a next page/],
  "links a full last page to an empty one": ["paging", /a full page at the end of a list leads/],
  "forgets the filter on the next page": ["paging", /not the whole list|more than once/],
  "creates half of a rejected request": ["answer", /refused call wrote something/],
};

/** The same for a proxy that alters the answers of a correct server. */
const caughtAlterations: Readonly<Record<Alteration, readonly [law: string, message: RegExp]>> = {
  "responds with another trace id in the body": ["shape", /differs from the header X-Trace-Id/],
  "responds with another code in the body": ["answer", /expected the status, \d+, got 400/],
  "empties the errors": ["shape", /is empty although the request failed/],
  "drops Retry-After": ["answer", /header Retry-After: is documented as always present/],
  "drops the cursor": ["paging", /not the whole list|no cursor/],
  "drops X-Pagination-Limit": ["limits", /X-Pagination-Limit: is documented as always present/],
  "drops X-Total-Count": ["paging", /no X-Total-Count/],
  "sends an empty next link": ["paging", /not the whole list|do not come to an end/],
  "sends an invalid number": ["paging", /header X-Total-Count: must be integer/],
  "returns errors as HTML": ["shape", /expected application\/json, got text\/html/],
  "cuts bodies short": ["answer", /is not JSON/],
  "responds with empty bodies": ["answer", /is not JSON/],
  "writes members in camel case": ["answer", /required property 'modified_on'/],
  "turns numbers into texts": ["answer", /size: must be integer/],
  "writes instants in another form": ["answer", /must match format "date-time"/],
  "adds a member deep inside": ["shape", /meta\.host: the document has no such field/],
  "turns 404 into an empty success": ["answer", /wrong status/],
  "turns 400 into 422": ["shape", /the document has .* got 422/],
  "turns 401 into 403": ["token", /wrong status/],
  "turns 403 into 404": ["scope", /wrong status/],
  "turns 201 into 200": ["answer", /the document has 201, .*got 200/],
  redirects: ["answer", /got 302/],
  "drops the last record": ["answer", /reading gives something else|not in the order/],
  "responds with an old record": ["answer", /colour was not changed/],
  "wraps records": ["answer", /must be array/],
};

describe("the pages and representations of a list that other clients write to", () => {
  const colours = ["red", "green", "blue"];
  const pages = { include: [/^colour\.list 200 (paging: pages|envelope)/], requireAll: false };
  const longList = (length: number): readonly string[] =>
    Array.from({ length }, (_none, index) => colours[index % 3] ?? "");

  test("are compared when the list no longer changes", async () => {
    const server = new WidgetServer();
    let reads = 0;
    server.colours = () => longList(6 + Math.min((reads += 1), 30));
    const report = await run(server, pages);
    expect(textReport(report)).not.toContain("FAILED");
    expect(report).toMatchObject({ failed: 0, notRun: 0 });
  });

  test("are not compared if the list keeps changing", async () => {
    const server = new WidgetServer();
    let reads = 0;
    server.colours = () => longList(6 + ((reads += 1) % 13));
    const report = await run(server, pages);
    expect(messagesOf(report)).toBe("");
    expect(textReport(report)).toContain("which need a list at rest");
  });

  test("are compared if only the order keeps changing", async () => {
    const server = new WidgetServer();
    let reads = 0;
    server.colours = () => {
      reads += 1;
      return [...colours.slice(reads % 3), ...colours.slice(0, reads % 3)];
    };
    const report = await run(server, pages);
    expect(messagesOf(report)).toContain("the pages are not the whole list");
  });
});

const messagesOf = ({ cases, problems }: Report): string =>
  [...cases.flatMap(({ failures }) => failures.map(({ message }) => message)), ...problems].join(
    "\n",
  );

test("FAULTS.md lists at least sixty faults, each with the law that catches it", () => {
  const page = readFileSync(new URL("../FAULTS.md", import.meta.url), "utf8");
  const rows = [...page.matchAll(/^\| (.+?) +\| `(\w+)` +\|$/gm)].map(([, fault, law]) => [
    fault,
    law,
  ]);
  const tried = [...Object.entries(caught), ...Object.entries(caughtAlterations)];
  expect(rows).toEqual(tried.map(([fault, [law]]) => [fault, law]));
  expect(rows.length).toBeGreaterThanOrEqual(60);
});

describe("a proxy that alters responses is caught", () => {
  test.each(Object.entries(caughtAlterations))(
    "one that %s",
    async (alteration, [law, message]) => {
      const report = await run(new WidgetServer(), {
        include: [new RegExp(`^(widget|colour)\\S+ \\d+ ${law}: `)],
        fetch: alteringFetch(alteration as Alteration),
      });
      expect(messagesOf(report)).toMatch(message);
      expect(report.ok).toBe(false);
    },
  );
});

test.each(["reads deleted records", "changes deleted records", "lists deleted records"] as const)(
  "one that %s is also caught by the comparison with records that never existed",
  async (defect) => {
    const report = await run(new WidgetServer(defect), { include: ["had never existed"] });
    expect(messagesOf(report)).toMatch(/reveals that deleted records exist/);
  },
);

describe("a server that breaks a law is caught", () => {
  test.each(Object.entries(caught))("one that %s", async (defect, [law, message]) => {
    const report = await run(new WidgetServer(defect as Defect), {
      include: [new RegExp(`^\\S+ \\d+ ${law}: `)],
    });
    expect(messagesOf(report)).toMatch(message);
    expect(report.ok).toBe(false);
  });
});
