/** @module-tag exhaustive */
import { expect, onTestFinished, test } from "vitest";
import { listCases, runContractTests, type Fetch } from "../src/index.ts";
import { caseId } from "../src/cases/case.ts";
import { isRefusedEarly } from "../src/selection.ts";
import { widgetContract } from "./fixture/contract.ts";
import { widgetRecipes } from "./fixture/recipes.ts";
import { bodyBytes, clients, WidgetServer } from "./fixture/widget-server.ts";

/** The requests of a run, in any order, without what the server chose: identifiers, tokens, cursors. */
async function requestsOf(seed: string): Promise<readonly string[]> {
  const server = new WidgetServer();
  const baseUrl = await server.start();
  onTestFinished(() => server.stop());
  const requests: string[] = [];
  const recording: Fetch = async (input, init) => {
    const body = init?.body instanceof Uint8Array ? Buffer.from(init.body).toString() : "";
    const text = `${init?.method} ${String(input).replace(baseUrl, "")} ${body}`;
    requests.push(
      text
        .replaceAll(/[0-9a-f]{64}/g, "<token>")
        .replaceAll(/(ids=|"id":")[0-9a-f]{32}/g, "$1<id>")
        .replaceAll(/after=[\w%.-]+/g, "after=<cursor>")
        .replaceAll(/modified_on%3A[^+&]*?%27[^%]*(%3A[^%]*)*%27/g, "modified_on:<instant>"),
    );
    return fetch(input, init);
  };
  const report = await runContractTests({
    baseUrl,
    credentials: clients.own,
    otherTenant: clients.other,
    bodyBytes,
    allowWrites: true,
    contract: widgetContract,
    recipes: widgetRecipes,
    seed,
    names: "the same",
    fetch: recording,
  });
  expect(report).toMatchObject({ failed: 0, seed });
  // How many pages a scan has while records come and go follows from the ids that the server chooses.
  const [pages, others] = [true, false].map((isPage) =>
    requests.filter((request) => request.includes("after=<cursor>") === isPage),
  );
  return [...new Set(pages), ...(others ?? [])].toSorted();
}

test("two runs with the same seed send the same requests, except for names", async () => {
  const [first, second, other] = [
    await requestsOf("a seed"),
    await requestsOf("a seed"),
    await requestsOf("another seed"),
  ];
  expect(first.length).toBeGreaterThan(500);
  expect(second).toEqual(first);
  expect(other).not.toEqual(first);
});

const widgets = { contract: widgetContract, recipes: widgetRecipes };
const all = listCases(widgets).map(caseId);

test("shards of about equal size contain each case once, and keep operations together", () => {
  const shards = [1, 2, 3].map((index) => listCases({ ...widgets, shard: { index, count: 3 } }));
  const ids = shards.map((cases) => cases.map(caseId));
  expect(ids.flat().toSorted()).toEqual(all.toSorted());
  for (const { length } of ids) expect(length).toBeGreaterThan(all.length / 6);
  const operations = shards.map((cases) => new Set(cases.map(({ operation }) => operation.id)));
  expect(operations.reduce((sum, { size }) => sum + size, 0)).toBe(
    widgetContract.operations.length,
  );
});

test("cases are included and excluded by collection, operation, law and pattern", () => {
  const ids = (options: Parameters<typeof listCases>[0]) =>
    listCases({ ...widgets, ...options }).map(caseId);
  expect(new Set(ids({ include: ["oauth2"] }).map((id) => id.split(" ")[0]))).toEqual(
    new Set(["oauth2AccessToken", "oauth2RevokeToken"]),
  );
  const both = ids({ include: ["widget.get", / paging: /], exclude: ["shape:"] });
  expect(both).toContain("widget.get 200 answer: a valid request");
  expect(both.some((id) => id.includes(" paging: "))).toBe(true);
  expect(both.some((id) => id.includes(" shape: "))).toBe(false);
});

test("a sample of the costly cases depends on the seed, and does not affect the other cases", () => {
  const costly = new Set(
    listCases(widgets)
      .filter((each) => each.costly === true)
      .map(caseId),
  );
  expect(costly.size).toBeGreaterThan(10);
  const half = (seed: string) => listCases({ ...widgets, seed, sample: 0.5 }).map(caseId);
  expect(half("a")).toEqual(half("a"));
  expect(half("a")).not.toEqual(half("b"));
  const none = listCases({ ...widgets, sample: 0 }).map(caseId);
  expect(none).toEqual(all.filter((id) => !costly.has(id)));
});

test("a quick run keeps one refusal of each rule, one of each operation and law, and all other cases", () => {
  const cases = listCases({});
  const quick = new Set(listCases({ quick: true }).map(caseId));
  const [refused, others] = [cases.filter(isRefusedEarly), cases.filter((c) => !isRefusedEarly(c))];
  expect(others.filter((each) => !quick.has(caseId(each)))).toEqual([]);
  const kept = refused.filter((each) => quick.has(caseId(each)));
  expect(kept.length).toBeLessThan(refused.length * 0.15);
  const lawsOf = (of: typeof refused) =>
    new Set(of.map(({ operation, law }) => `${operation.id} ${law}`));
  expect(lawsOf(kept)).toEqual(lawsOf(refused));
  const nulls = kept.filter(({ title }) => title.endsWith(" null")).map(({ title }) => title);
  expect(nulls.some((title) => title.startsWith("body."))).toBe(true);
  expect(nulls.some((title) => title.startsWith("query."))).toBe(false);
});

test("without --allow-writes, nothing is written", async () => {
  const server = new WidgetServer();
  const baseUrl = await server.start();
  onTestFinished(() => server.stop());
  const written: string[] = [];
  const report = await runContractTests({
    baseUrl,
    credentials: clients.own,
    bodyBytes,
    ...widgets,
    fetch: async (input, init) => {
      const isWrite = init?.method !== "GET" && !String(input).includes("/oauth2/");
      if (isWrite) written.push(String(input));
      return fetch(input, init);
    },
  });
  expect(written).toEqual([]);
  expect(report.failed).toBe(0);
  expect(report.passed).toBeGreaterThan(50);
  expect(report.cases.some(({ needs }) => needs.includes("--allow-writes"))).toBe(true);
});

test("an operation that the target does not implement is listed, and is no failure", async () => {
  const server = new WidgetServer();
  const baseUrl = await server.start();
  onTestFinished(() => server.stop());
  const refusal = (meta: object) =>
    Response.json({ meta, errors: [{ code: 501, message: "not yet" }] }, { status: 501 });
  const options = { baseUrl, credentials: clients.own, bodyBytes, allowWrites: true, ...widgets };
  const without: Fetch = async (input, init) => {
    const answer = await fetch(input, init);
    const isSearch = String(input).includes("/widgets/queries");
    return isSearch && answer.status < 400 ? refusal({}) : answer;
  };
  const report = await runContractTests({ ...options, fetch: without, include: ["widget.search"] });
  expect(report).toMatchObject({ failed: 0, ok: true });
  expect(report.notImplemented).toBeGreaterThan(5);
  let count = 0;
  const sometimes: Fetch = async (input, init) => {
    const answer = await fetch(input, init);
    const isSearch = String(input).includes("/widgets/queries") && answer.status < 400;
    count += isSearch ? 1 : 0;
    return isSearch && count % 3 === 0 ? refusal({}) : answer;
  };
  const wavering = await runContractTests({
    ...options,
    fetch: sometimes,
    include: ["widget.search"],
  });
  expect(wavering.ok).toBe(false);
  expect(wavering.problems).toContain(
    "widget.search answers 501 to some requests and succeeds with others",
  );
});
