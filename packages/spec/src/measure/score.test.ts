import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { figuresOf, scoreFloors, scoreOf } from "./score.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));

test("redocly scores the document no lower than the floors, and every figure has one", () => {
  const figures = figuresOf(scoreOf(root));
  expect(figures.map(({ name }) => name)).toEqual(Object.keys(scoreFloors));
  expect(figures.filter(({ figure, floor }) => floor === undefined || figure < floor)).toEqual([]);
});
