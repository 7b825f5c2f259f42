import { importSchemas } from "@security-platform/spec";
import { expect, test } from "vitest";
import { schemaValidator } from "../validation/schema-validator.ts";
import { importKinds } from "./index.ts";

test("every kind has a schema, and every schema a kind", () => {
  expect(importKinds.toSorted()).toEqual(Object.keys(importSchemas()));
});

/** Kinds in an external format, to which databases add their own members. */
const openKinds: readonly string[] = ["osv"];

test.each(importKinds.filter((kind) => !openKinds.includes(kind)))(
  "the schema of %s rejects unknown members and reports missing ones",
  (kind) => {
    const schema = importSchemas()[kind] ?? {};
    const problems = schemaValidator(schema, "")({ colour: "red" });
    const required = schema["required"] as readonly string[];
    expect(problems.map(({ at }) => at).toSorted()).toEqual(
      [...required.map((name) => `.${name}`), ".colour"].toSorted(),
    );
  },
);
