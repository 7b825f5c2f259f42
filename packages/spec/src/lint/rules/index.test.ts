import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { rules } from "./index.ts";

test("every rule has a file with its name, a test file, and is in the list", () => {
  const files = readdirSync(new URL(".", import.meta.url)).filter((name) => name !== "index.ts");
  const expected = rules.flatMap(({ name }) => [`${name}.ts`, `${name}.test.ts`]);
  expect(files.toSorted()).toEqual([...expected, "index.test.ts"].toSorted());
});
