import { expect, test } from "vitest";
import { sizesBy } from "./sizes.ts";

test("lines of files by group: median, 90th percentile, maximum", () => {
  const lengths = [3, 1, 2, 10, 5, 4, 6, 7, 9, 8];
  const texts = new Map([
    ...lengths.map((lines) => [`many/${lines}.yaml`, "line\n".repeat(lines)] as const),
    ["few/a.yaml", "one\n"],
  ]);
  expect(sizesBy(texts, (path) => path.split("/")[0] ?? "")).toEqual([
    { name: "few", files: 1, median: 1, p90: 1, largest: 1, largestFile: "few/a.yaml" },
    { name: "many", files: 10, median: 5, p90: 9, largest: 10, largestFile: "many/10.yaml" },
  ]);
});
