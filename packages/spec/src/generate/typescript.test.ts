import { expect, test } from "vitest";
import { document } from "../index.ts";
import { typesModule } from "./typescript.ts";

test("the types of the document contain its operations", async () => {
  expect(await typesModule(document())).toContain("export interface operations");
});
