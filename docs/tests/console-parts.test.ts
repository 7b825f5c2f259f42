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
import { placeOf, SchemaSet } from "@security-platform/spec/schemas";
import { describe, expect, test } from "vitest";
import { queryProblems, schemaOf } from "../.vitepress/theme/console/graphql-check.ts";
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
        new SchemaSet(() => components)
          .validator(schema)(value)
          .map(({ path, message }) => `${id}: ${placeOf(name, path)}: ${message}`),
      );
    });
    expect(refused).toEqual([]);
  });

  const problemsOf = (id: string, value: unknown): readonly string[] => {
    const data = dataOf.get(id);
    if (data?.body === null || data === undefined) throw new Error(`${id} has no body`);
    return new SchemaSet(() => data.components)
      .validator(data.body.schema)(value)
      .map(({ path, message }) => `${placeOf("body", path)}: ${message}`);
  };

  test.each([
    ["indicator.create.v1", {}, ["body.indicators: is required"]],
    [
      "indicator.create.v1",
      { indicators: [] },
      ["body.indicators: expected 1 to 2000 items, got []"],
    ],
    ["indicator.create.v1", { indicators: [7] }, ["body.indicators[0]: expected an object, got 7"]],
    [
      "indicator.create.v1",
      { indicators: [{ type: "domain", value: "a.example", platforms: ["beos"] }] },
      [
        'body.indicators[0].platforms[0]: expected one of windows, mac, linux, ios, android, got "beos"',
      ],
    ],
    ["indicator.aggregate.v1", 7, ["body: expected an object or a list, got 7"]],
  ])("%s: names the place and what was expected in %j", (id, value, expected) => {
    const problems = problemsOf(id, value);
    for (const text of expected) expect(problems.join("\n")).toContain(text);
  });
});

describe("the check of a GraphQL query", () => {
  const data = dataOf.get("post_graphql")?.body;
  const schema = schemaOf(data?.graphql ?? "");
  const check = (query: string, variables = ""): readonly (readonly [string, string | null])[] =>
    queryProblems(schema, query, variables).map(({ text, mark }) => [
      text,
      mark === null ? null : query.slice(mark.from, mark.to),
    ]);

  test("accepts the examples of the document", () => {
    const examples = data?.examples ?? [];
    expect(examples.length).toBeGreaterThan(0);
    for (const { value } of examples) {
      const { query, variables } = value as { readonly query: string; readonly variables: unknown };
      expect(check(query, JSON.stringify(variables))).toEqual([]);
    }
  });

  const withVariable = "query ($first: Int!) { entities(first: $first) { nodes { entityId } } }";

  test.each([
    [
      "{ countEntities",
      "",
      "Query: line 1, column 16: Syntax Error: Expected Name, found <EOF>.",
      "",
    ],
    ["", "", "Query: line 1, column 1: Syntax Error: Unexpected <EOF>.", ""],
    [
      "{ all: countEntity }",
      "",
      'Query: line 1, column 3: Cannot query field "countEntity" on type "Query". Did you mean "countEntities"?',
      "countEntity",
    ],
    [
      "{\n  countEntities(type: USER)\n}",
      "",
      'Query: line 2, column 17: Unknown argument "type" on field "Query.countEntities". Did you mean "types"?',
      "type",
    ],
    [withVariable, "", 'Variables: Variable "$first" ', null],
    [withVariable, '{"first":', "Variables: this is not JSON: ", null],
    [withVariable, "[1]", "Variables: expected an object with a member for each variable", null],
  ])("names the place of the problem in %j with %j", (query, variables, text, marked) => {
    const problems = check(query, variables);
    expect(problems).toHaveLength(1);
    expect(problems[0]?.[0]).toContain(text);
    expect(problems[0]?.[1]).toBe(marked);
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
