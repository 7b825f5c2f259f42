import { expect, test } from "vitest";
import { platformContract, withoutCompanion } from "../contract.ts";
import { platformRecipes, Recipes } from "../recipes/recipes.ts";
import { storiesOf } from "./stories.ts";

const contract = withoutCompanion(platformContract());
const recipes = new Recipes(contract, platformRecipes);
const stories = storiesOf(contract, recipes, { documentUrl: "openapi.json", seed: "s" });

test("every kind of record with a lifecycle has a story from its creation to its end", () => {
  const kinds = recipes
    .resourceNames()
    .filter((name) => recipes.resource(name).lifecycle !== null)
    // Such a file needs an existing case.
    .filter((name) => name !== "case-files");
  expect(stories.workflows.map(({ workflowId }) => workflowId)).toEqual(kinds);
  for (const { steps, workflowId } of stories.workflows) {
    const ids = steps.map(({ stepId }) => stepId);
    expect(ids.slice(0, 3)).toEqual(["sign-in", "create", "read"]);
    // Records that cannot be removed are changed last.
    const isRemoved = recipes.resource(workflowId).lifecycle?.remove !== undefined;
    expect(ids.slice(-2)).toEqual(
      isRemoved ? ["remove", "read-removed"] : ["change", "read-change"],
    );
  }
});

test("every step names an operation of the document", () => {
  const operationPaths = new Set(
    contract.operations.map(
      ({ path, method }) => `#/paths/${path.replaceAll("/", "~1")}/${method}`,
    ),
  );
  for (const { operationPath } of stories.workflows.flatMap(({ steps }) => steps)) {
    expect(operationPaths).toContain(
      operationPath.replace("{$sourceDescriptions.platform.url}", ""),
    );
  }
});
