import { describe, expect, onTestFinished, test } from "vitest";
import { runContractTests, textReport, type Report, type RunOptions } from "../src/index.ts";
import { widgetContract } from "./fixture/contract.ts";
import type { Defect } from "./fixture/defects.ts";
import { widgetRecipes } from "./fixture/recipes.ts";
import { bodyBytes, clients, WidgetServer } from "./fixture/widget-server.ts";

async function run(server: WidgetServer, options: Partial<RunOptions> = {}): Promise<Report> {
  const baseUrl = await server.start();
  onTestFinished(() => server.stop());
  return runContractTests({
    baseUrl,
    credentials: clients.own,
    otherTenant: clients.other,
    faults: server.force,
    bodyBytes,
    contract: widgetContract,
    recipes: widgetRecipes,
    requireAll: true,
    allowWrites: true,
    strictHeaders: true,
    wait: async () => {},
    ...options,
  });
}

test("a server that keeps every law passes, and nothing is left behind", async () => {
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
  "tells of foreign records": ["tenant", /tells that another tenant's records exist/],
  "shares names between tenants": ["tenant", /wrong status/],
  "drops a header": ["answer", /header X-Trace-Id: is documented as always present/],
  "adds a header": ["answer", /header x-powered-by: the document has no such header/],
  "adds a field": ["answer", /body\[0\]\.secret: the document has no such field/],
  "answers with another status": ["answer", /the document has 200, 400.*got 202/],
  "answers with another content type": ["answer", /expected application\/json, got text\/plain/],
  "needs no token": ["token", /wrong status/],
  "keeps revoked tokens": ["token", /wrong status/],
  "knows one way to write a scheme": ["token", /wrong status/],
  "asks for no challenge": ["token", /wrong challenge/],
  "ignores scopes": ["scope", /wrong status/],
  "skips a record when pages move": ["paging", /does not come exactly once|more than once/],
  "repeats a record": ["paging", /not the whole list/],
  "does not bind cursors": ["paging", /not refused|wrong status/],
  "counts wrong": ["paging", /wrong X-Total-Count/],
  "sorts texts by length": ["paging", /not in the order/],
  "leaves nulls out of a negation": ["complement", /selects other records/],
  "loses page data in the envelope": ["envelope", /differs from the header/],
  "ignores unknown parameters": ["shape", /wrong status/],
  "ignores unknown fields": ["shape", /wrong status/],
  "names no place": ["shape", /does not name the place/],
  "gives records in another order": ["answer", /not in the order asked/],
  "forgets a field": ["answer", /does not hold the size that was sent/],
  "changes more than it was asked": ["answer", /size changed, unasked/],
  "removes nothing": ["answer", /can still be read/],
  "writes what it refuses": ["answer", /refused call wrote something/],
  "overwrites duplicates": ["answer", /wrong status/],
  "tells its inside": ["answer", /tells of the inside/],
  "allows any method": ["answer", /Allow does not list/],
  "takes any content type": ["answer", /wrong status/],
  "takes bodies of any size": ["answer", /wrong status/],
  "gives XML": ["answer", /wrong status/],
};

describe("a server that breaks a law is caught", () => {
  test.each(Object.entries(caught))("one that %s", async (defect, [law, message]) => {
    const report = await run(new WidgetServer(defect as Defect), {
      include: [new RegExp(`^\\S+ \\d+ ${law}: `)],
    });
    const said = report.cases.flatMap(({ failures }) => failures.map((failure) => failure.message));
    expect(said.join("\n")).toMatch(message);
    expect(report.ok).toBe(false);
  });
});
