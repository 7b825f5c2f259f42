import { expect, test } from "vitest";
import { completeDocument, document } from "../index.ts";
import { typeDeclarations, typesModule } from "./typescript.ts";

test("the types of the document contain its operations", async () => {
  expect(await typesModule(document())).toContain("export interface operations");
});

test("optional members of any depth may be undefined", async () => {
  const { schemas, operations } = await typeDeclarations(completeDocument());
  const bodies = Object.values(operations).flatMap(({ body }) => Object.values(body));
  const texts = [...Object.values(schemas), ...bodies].map(({ text }) => text);
  const scalars = texts.flatMap((text) => text.match(/\?: (string|number|boolean)\b[^;]*;/g) ?? []);
  expect(scalars.length).toBeGreaterThan(500);
  expect(scalars.filter((member) => !member.includes("| undefined"))).toEqual([]);
});
