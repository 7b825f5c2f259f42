import { expect, test } from "vitest";
import { document, importSchemas } from "../index.ts";
import { importRecordsModule } from "./import-records.ts";

test("the module has a type for each kind, and the types that these refer to, and no others", async () => {
  const source = await importRecordsModule(document(), importSchemas());
  for (const kind of Object.keys(importSchemas())) {
    expect(source).toMatch(new RegExp(`^  readonly "${kind}": \\w+Record;$`, "m"));
  }
  const declared = [...source.matchAll(/^(?:export )?(?:interface|type) (\w+)/gm)].map(
    ([, name = ""]) => name,
  );
  const unused = declared.filter(
    (name) => name !== "ImportRecords" && source.split(new RegExp(`\\b${name}\\b`)).length < 3,
  );
  expect(declared.length).toBeGreaterThan(40);
  expect(unused).toEqual([]);
  expect(source).toContain("readonly device_id: HexId;");
});

test("a name that the document has already is refused", async () => {
  const { components } = document();
  const schemas = { ...components.schemas, HostsRecord: { type: "object" } };
  await expect(
    importRecordsModule(
      { ...document(), components: { ...components, schemas } },
      { hosts: { type: "object" } },
    ),
  ).rejects.toThrow("the document has a schema HostsRecord of its own");
});
