/** @module-tag exhaustive */
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { figuresOf, scoreFloors, scoreOf } from "./score.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));

test("the scores of redocly are not below the floors, and every score has a floor", () => {
  const figures = figuresOf(scoreOf(root));
  expect(figures.map(({ name }) => name)).toEqual(Object.keys(scoreFloors));
  expect(figures.filter(({ figure, floor }) => floor === undefined || figure < floor)).toEqual([]);
});
