import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { findingText } from "./finding.ts";
import { lint, readSpecification } from "./lint.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));

test("the specification violates no rule", () => {
  const specification = readSpecification(`${root}spec`);
  expect(specification.operations.length).toBeGreaterThan(18);
  expect(lint(specification).map(findingText)).toEqual([]);
});
