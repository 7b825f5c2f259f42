import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { rules } from "./index.ts";

test("every rule has a file of its name, a test beside it, and is run", () => {
  const files = readdirSync(new URL(".", import.meta.url)).filter((name) => name !== "index.ts");
  const expected = rules.flatMap(({ name }) => [`${name}.ts`, `${name}.test.ts`]);
  expect(files.toSorted()).toEqual([...expected, "index.test.ts"].toSorted());
});
