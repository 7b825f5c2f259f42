import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { makeArtifacts } from "./artifacts.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));

test("equal sources give equal bytes", async () => {
  expect(await makeArtifacts(root)).toEqual(await makeArtifacts(root));
});
