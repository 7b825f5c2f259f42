import { runInNewContext } from "node:vm";
import {
  explainFilter,
  fql,
  parseFilter,
  printFilter,
  type Fields,
  type Filter,
} from "@security-platform/fql";
import { completeDocument, fqlTables, operations } from "@security-platform/spec";
import { describe, expect, test } from "vitest";
import { checkOf, placeOf } from "../.vitepress/theme/console/schema-problems.ts";
import { builderCode } from "../.vitepress/theme/playground/builder-code.ts";
import { sentenceOf } from "../.vitepress/theme/playground/sentence.ts";
import { consoleData } from "../scripts/console-data.ts";

const { schemas } = completeDocument().components;
const dataOf = new Map(
  operations().map((operation) => [operation.id as string, consoleData(operation, schemas)]),
);

describe("the check of inputs", () => {
  test("accepts all examples of the document", () => {
    const refused = [...dataOf.values()].flatMap(({ id, parameters, body, components }) => {
      const examples = [
        ...parameters.map(({ name, schema, example }) => ({ name, schema, value: example })),
        ...(body?.mediaType.includes("json") === true
          ? body.examples.map(({ title, value }) => ({ name: title, schema: body.schema, value }))
          : []),
      ].filter(({ value }) => value !== undefined);
      return examples.flatMap(({ name, schema, value }) =>
        checkOf(
          schema,
          components,
        )(value).map(({ path, text }) => `${id}: ${name}: ${placeOf(path)}: ${text}`),
      );
    });
    expect(refused).toEqual([]);
  });

  const problemsOf = (id: string, value: unknown): readonly string[] => {
    const data = dataOf.get(id);
    if (data?.body === null || data === undefined) throw new Error(`${id} has no body`);
    return checkOf(
      data.body.schema,
      data.components,
    )(value).map(({ path, text }) => `${placeOf(path)}: ${text}`);
  };

  test.each([
    ["indicator.create.v1", {}, ["the member indicators is missing"]],
    ["indicator.create.v1", { indicators: [] }, ["indicators: expected at least 1 item"]],
    ["indicator.create.v1", { indicators: [7] }, ["indicators[0]: expected an object, got 7"]],
    [
      "indicator.create.v1",
      { indicators: [{ type: "domain", value: "a.example", platforms: ["beos"] }] },
      ['indicators[0].platforms[0]: expected one of "windows", "mac", "linux", "ios", "android"'],
    ],
    ["indicator.aggregate.v1", 7, ["expected an object or a list, got 7"]],
  ])("%s: names the place and what was expected in %j", (id, value, expected) => {
    const problems = problemsOf(id, value);
    for (const text of expected) expect(problems.join("\n")).toContain(text);
  });
});

const fields: Fields = fqlTables.indicators.fields;

describe("a filter in words", () => {
  test.each([
    ["type:'domain'", "Records for which type is 'domain'."],
    ["type:!'domain'", "Records for which type is not 'domain', or has no value."],
    [
      "type:'domain'+(severity:'high',severity:'low')",
      "Records for which type is 'domain' and (severity is 'high' or severity is 'low').",
    ],
    ["", "All records."],
  ])("%s: %s", (filter, sentence) => {
    expect(sentenceOf(explainFilter(parseFilter(filter), fields))).toBe(sentence);
  });
});

describe("a filter as code", () => {
  test.each([
    ["type:'domain'", "type:'domain'"],
    ["TYPE:!'domain'", "type:!'domain'"],
    [
      "type:['domain','ipv4']+severity_number:>='50'",
      "type:['domain','ipv4']+severity_number:>=50",
    ],
    ["value:*['a*','b*']", "value:*'a*',value:*'b*'"],
    ["value:!~['a','b']", "value:!~'a'+value:!~'b'"],
    ["(a:1,b:2)+(c:3,d:!*)", "(a:1,b:2)+(c:3,d:!*'*')"],
    ["description:''+source:null", "description:''+source:null"],
    [
      "value:'a'+(description:'a long text in this condition',source:'another long text'+tags:'x')",
      "value:'a'+(description:'a long text in this condition',source:'another long text'+tags:'x')",
    ],
    ["", ""],
  ])("%s builds %s", (filter, built) => {
    const code = builderCode(parseFilter(filter), "indicators", fields);
    const [, expression = ""] = /const filter = ([^]*);$/.exec(code) ?? [];
    const filterBuilt = runInNewContext(expression, { f: fql() }) as Filter;
    expect(printFilter(filterBuilt)).toBe(built);
  });

  test("quotes the name of a resource that is not an identifier", () => {
    const code = builderCode(parseFilter("key:'a'"), "access-tags", {});
    expect(code).toContain('const f = filters["access-tags"];');
  });
});
