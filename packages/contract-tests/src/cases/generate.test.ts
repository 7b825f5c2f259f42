import { describe, expect, test } from "vitest";
import { createConformance } from "../conformance/conformance.ts";
import { platformContract, type Contract, type Operation } from "../contract.ts";
import { platformRecipes, Recipes } from "../recipes/recipes.ts";
import { caseId } from "./case.ts";
import { generateCases } from "./generate.ts";

const isIoc = ({ collection }: Operation): boolean => collection === "ioc";

const { operations } = platformContract();
const allRecipes = new Recipes(platformContract(), platformRecipes);
const isInferred = (operation: Operation): boolean => allRecipes.of(operation).inferred === true;

/** The operations with recipes, indicators first. */
const contract: Contract = {
  ...platformContract(),
  operations: operations
    .filter((operation) => operation.collection in platformRecipes && !isInferred(operation))
    .toSorted((left, right) => Number(isIoc(right)) - Number(isIoc(left))),
};

const casesOf = (input: Contract = contract) =>
  generateCases({
    conformance: createConformance(input),
    recipes: new Recipes(input, platformRecipes),
    except: new Set(),
  });

const names = casesOf().map(caseId);

describe("the cases of the platform", () => {
  test("cover every documented response of every operation", () => {
    const shown = new Set(casesOf().map(({ operation, status }) => `${operation.id} ${status}`));
    const documented = contract.operations.flatMap(({ id, responses }) =>
      responses.map(({ status }) => `${id} ${status}`),
    );
    expect(documented.filter((answer) => !shown.has(answer))).toEqual([]);
    expect(names.filter((name) => name.includes("no case shows this answer"))).toEqual([]);
  });

  test("have unique names", () => {
    expect(new Set(names).size).toBe(names.length);
  });

  test("test the laws of access for every operation with a scope", () => {
    for (const { id, scope } of contract.operations.filter(
      (operation) => operation.scope !== null,
    )) {
      expect(names).toContain(`${id} 401 token: no token`);
      expect(names).toContain(
        `${id} 200 scope: ${scope} alone is enough`.replace("200", success(id)),
      );
      expect(names).toContain(`${id} 403 scope: every scope but ${scope} does not suffice`);
    }
  });

  const success = (id: string): string =>
    String(contract.operations.find((operation) => operation.id === id)?.successStatus);

  test.each([
    "indicator.search.v1 400 limits: query.limit below minimum 1",
    "indicator.search.v1 400 limits: query.limit above maximum 2000",
    "indicator.search.v1 400 limits: query.offset below minimum 0",
    "indicator.search.v1 400 limits: query.offset and limit beyond the window",
    "indicator.search.v1 200 limits: limit 2000 is taken as it is",
    "indicator.search.v1 200 limits: offset 9999 is a page",
    "severity.query.v1 200 limits: offset 9999 is a page",
    "indicator.search.v1 400 shape: query.limit not a number",
    "indicator.search.v1 400 shape: query.filterx, which does not exist, near one that does",
    "indicator.search.v1 400 shape: query.offset beside after",
    "indicator.search.v1 400 filter: query.filter with an unknown field: no_such_field:'1'",
    "indicator.search.v1 400 filter: query.sort with an unsortable field: id.asc",
    "indicator.search.v1 200 complement: platforms:v and platforms:!v",
    "indicator.search.v1 200 paging: sorted by severity_number, in order and each record once",
    "indicator.search.v1 200 paging: a scan shows what exists throughout once, whatever is written",
    "indicator.search.v1 200 tenant: a list holds no other tenant's records",
    "indicator.create.v1 400 shape: body.indicators[0].type missing",
    "indicator.create.v1 400 shape: body.indicators[0].no_such_field which does not exist",
    "indicator.create.v1 400 limits: body.indicators with more than 2000 items",
    "indicator.create.v1 400 shape: body that breaks off",
    "indicator.create.v1 409 answer: a duplicate",
    "indicator.update.v1 400 filter: body.bulk_update.filter with bad syntax: id:[]",
    "indicator.get.device_count.v1 400 shape: query.type missing",
    "indicator.get.devices_ran_on.v1 400 limits: query.limit not like ^([1-9][0-9]?|100)$ (0)",
    "indicator.aggregate.v1 400 filter: body[0].field with an unknown field: no_such_field",
    "indicator.sdmf-query.v1 400 filter: body.nodes[1].operator.filter with bad syntax: id:",
    "oauth2AccessToken 400 shape: body with a field twice",
    "oauth2AccessToken 401 token: an unknown client",
    "platform.query.v1 200 paging: pages by link show each record once",
    "platform.query.v1 200 envelope: the same content in both representations",
  ])("%s", (name) => {
    expect(names).toContain(name);
  });

  test("send as a form only values that a form can contain", () => {
    const form = names.filter((name) => name.startsWith("oauth2AccessToken"));
    expect(form.filter((name) => /a wrong type|null/.test(name))).toEqual([]);
    expect(form).toContain("oauth2AccessToken 400 shape: body.no_such_field which does not exist");
  });
});

describe("an operation that is new to the document", () => {
  const [first] = contract.operations;
  const added = {
    ...first,
    id: "indicator.burn.v1",
    method: "post",
    path: "/iocs/entities/burnt/v1",
  } as Operation;

  test("without a recipe, the report names what to add", () => {
    const grown = { ...contract, operations: [...contract.operations, added] };
    expect(new Recipes(grown, platformRecipes).missing().join("\n")).toMatch(
      /indicator\.burn\.v1 \(POST \/iocs\/entities\/burnt\/v1\): add to operations in src\/recipes\/ioc\.ts "indicator\.burn\.v1": \{ resource/,
    );
  });

  test("without a recipe, the operation is tested as far as the document allows, without writes", () => {
    const created = {
      ...contract.operations.find(({ id }) => id === "indicator.create.v1"),
      id: "indicator.burn.v1",
    } as Operation;
    const cases = casesOf({ ...contract, operations: [...contract.operations, created] }).filter(
      ({ operation }) => operation.id === created.id,
    );
    const needsRecipe = cases.filter(({ needs }) => needs.includes("a recipe"));
    expect(new Set(needsRecipe.map(({ status }) => status))).toEqual(new Set([201, 422]));
    expect(cases.length - needsRecipe.length).toBeGreaterThan(50);
  });

  test("has no case if it is left out", () => {
    const extended = { ...contract, operations: [...contract.operations, added] };
    const except = new Set([added.id as string]);
    const recipes = new Recipes(extended, platformRecipes);
    const cases = generateCases({ conformance: createConformance(extended), recipes, except });
    expect(cases.map(caseId)).toEqual(names);
  });

  test("needs no recipe if the document contains everything", () => {
    const search = contract.operations.find(({ id }) => id === "indicator.search.v1") as Operation;
    const second = { ...search, id: "indicator.search.v2", path: "/iocs/queries/indicators/v2" };
    const grown = { ...contract, operations: [...contract.operations, second] };
    const born = casesOf(grown).filter(({ operation }) => operation.id === second.id);
    expect(born.length).toBe(names.filter((name) => name.startsWith(search.id)).length);
  });

  test("has a case that says what to add if no recipe obtains one of its responses", async () => {
    const [, ...rest] = contract.operations;
    const teapot = { status: 418, description: "", headers: {}, content: {} };
    const changed = { ...first, responses: [...(first?.responses ?? []), teapot] } as Operation;
    const cases = casesOf({ ...contract, operations: [changed, ...rest] });
    const undocumented = cases.find(({ status }) => status === 418);
    expect(() => undocumented?.run({} as never)).toThrow(
      `no known request obtains 418 from ${changed.id}: add answers: { 418: (subject) => ({ … }) }`,
    );
  });
});

test("a recipe for an operation that does not exist is an error", () => {
  const [, ...rest] = contract.operations;
  expect(() => new Recipes({ ...contract, operations: rest }, platformRecipes)).toThrow(
    /src\/recipes\/ioc\.ts has .*, which the document does not have/,
  );
});
