import { expect, test } from "vitest";
import { schemaValidator } from "../http/validate/schema-validator.ts";
import { importKinds, importSchema } from "./index.ts";

interface Described {
  readonly description?: string;
  readonly $ref?: string;
}

test.each(importKinds)(
  "the schema of %s says what each member is and knows all of them",
  (kind) => {
    const schema = importSchema(kind);
    const properties = schema["properties"] as Readonly<Record<string, Described>>;
    for (const [name, member] of Object.entries(properties)) {
      expect(member.description ?? member.$ref, name).toBeTruthy();
    }
    const problems = schemaValidator(schema, "")({ colour: "red" });
    const required = schema["required"] as readonly string[];
    expect(problems.map(({ at }) => at).toSorted()).toEqual(
      [...required.map((name) => `.${name}`), ".colour"].toSorted(),
    );
  },
);
