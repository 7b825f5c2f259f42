import { existsSync, globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { placesOf, type Repository } from "./operation-places.ts";

const root = resolve(import.meta.dirname, "..");
const repository: Repository = {
  text: (path) => (existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : ""),
  paths: () => globSync("spec/*/paths/*.yaml", { cwd: root }),
};

const missing = (id: string, files = repository): readonly string[] =>
  placesOf(id, files).flatMap(({ path, found }) => (found ? [] : [path]));

test.each(["indicator.create.v1", "createPreventionPolicies", "queryHostGroups", "GetRoles"])(
  "%s has all its places",
  (id) => {
    expect(missing(id)).toEqual([]);
  },
);

test("an unknown operation lacks everything, and the output says where it belongs", () => {
  const places = placesOf("things.get.v1", repository);
  expect(places.every(({ found }) => !found)).toBe(true);
  expect(places.map(({ path }) => path)).toContain(
    "packages/contract-tests/src/recipes/<collection>.ts",
  );
});

test("a place that does not mention the operation is missing", () => {
  const examples = "packages/client/tests/examples/ioc.ts";
  const text = (path: string): string =>
    path === examples
      ? repository.text(path).replaceAll("indicator.create.v1", "indicator.make.v1")
      : repository.text(path);
  expect(missing("indicator.create.v1", { ...repository, text })).toEqual([examples]);
});
