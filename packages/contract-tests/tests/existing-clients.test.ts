import { expect, test } from "vitest";
import { operations } from "@security-platform/spec";
import { listCases, textReport, type Report } from "../src/index.ts";
import { existingClientsFetch, type LeftOut } from "./fixture/existing-clients.ts";
import { runWidgets } from "./fixture/run-widgets.ts";
import { WidgetServer } from "./fixture/widget-server.ts";

const run = (leftOut?: LeftOut, include?: readonly string[]): Promise<Report> =>
  runWidgets(new WidgetServer(), {
    compat: true,
    seed: "compat",
    fetch: existingClientsFetch(leftOut),
    ...(include === undefined ? {} : { include }),
  });

test("a server for existing clients passes in compat mode", async () => {
  const report = await run();
  expect(textReport(report)).not.toContain("FAILED");
  expect(report).toMatchObject({ failed: 0, ok: true, problems: [] });
  const own = report.cases.filter(({ law }) => law === "compat").map(({ title }) => title);
  expect(new Set(own)).toEqual(
    new Set([
      "null for members that are not set",
      "enumerations in upper case",
      "an unknown member, which is ignored",
      "the first page has a total",
    ]),
  );
});

test.each([
  ["envelopes", "answer", /the document|body/],
  ["nulls", "compat", /wrong status/],
  ["any case", "compat", /wrong status/],
  ["totals", "compat", /no total/],
  ["unknown members", "compat", /wrong status/],
] as const)("a server without %s fails under %s", async (leftOut, law, message) => {
  const report = await run(leftOut, [` ${law}: `]);
  const failed = report.cases.filter(({ outcome }) => outcome === "failed");
  const failure = failed.find((each) => each.law === law);
  expect(failure?.failures[0]?.message).toMatch(message);
});

test("the offset of every list that has one is sent back", () => {
  const walked = listCases({
    compat: true,
    companion: true,
    include: [/ compat: the offset of each page/],
  });
  const lists = operations().filter(
    ({ paging, parameters }) =>
      paging !== "none" && parameters.some(({ name }) => name === "offset"),
  );
  expect(lists.length).toBeGreaterThan(50);
  expect(new Set(walked.map(({ operation }) => operation.id))).toEqual(
    new Set(lists.map(({ id }) => id)),
  );
});
