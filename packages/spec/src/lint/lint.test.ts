import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { findingText } from "./finding.ts";
import { lint, readSpecification } from "./lint.ts";

test("the specification violates no rule", () => {
  const specification = readSpecification(
    fileURLToPath(new URL("../../../../spec", import.meta.url)),
  );
  expect(specification.operations.length).toBeGreaterThan(18);
  expect(lint(specification).map(findingText)).toEqual([]);
});
