import { expect, test } from "vitest";
import { runContractTests } from "../src/index.ts";
import type { CollectionRecipe, ResourceRecipe } from "../src/recipes/recipe.ts";
import { widgetContract } from "./fixture/contract.ts";
import type { Defect } from "./fixture/defects.ts";
import { widgetRecipes } from "./fixture/recipes.ts";
import { bodyBytes, clients, WidgetServer } from "./fixture/widget-server.ts";

/** Widgets as records that no operation creates: they are found on the target. */
function foundWidgets(): Readonly<Record<string, CollectionRecipe>> {
  const { widgets, ...others } = widgetRecipes;
  const resource = widgets?.resources["widgets"];
  if (widgets === undefined || resource === undefined) throw new Error("no recipe of widgets");
  const recipe: ResourceRecipe = {
    ...resource,
    lifecycle: null,
    find: ({ namespace, write }) =>
      write("widget.create", {
        body: {
          widgets: ["b", "a", "c"].map((name, size) => ({
            name: `${namespace} ${name}`,
            size: 1 + size,
            group: namespace,
            tags: [],
          })),
        },
      }),
  };
  return { ...others, widgets: { ...widgets, resources: { widgets: recipe } } };
}

async function sorting(defect?: Defect) {
  const server = new WidgetServer(...(defect === undefined ? [] : [defect]));
  const baseUrl = await server.start();
  try {
    return await runContractTests({
      baseUrl,
      credentials: clients.own,
      bodyBytes,
      allowWrites: true,
      contract: widgetContract,
      recipes: foundWidgets(),
      include: [/paging: sorted by/],
    });
  } finally {
    await server.stop();
  }
}

test("lists of records that no operation creates are also sorted", async () => {
  const report = await sorting();
  expect(report.cases.map(({ title }) => title)).toContain(
    "sorted by size, in order and each record once",
  );
  expect([report.failed, report.notRun]).toEqual([0, 0]);
});

test("such records in the wrong order fail", async () => {
  const { cases } = await sorting("ignores the direction");
  const messages = cases.flatMap(({ failures }) => failures.map(({ message }) => message));
  expect(messages.join("\n")).toMatch(/not in the order (name|size)\.desc/);
});
