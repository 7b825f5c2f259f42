import { expect, test } from "vitest";
import { check } from "../testing/check.ts";
import { referenceSiblings } from "./reference-siblings.ts";

const files = {
  "shared/error-sets/all.yaml": `"400": { $ref: ../responses/Bad.yaml }\n`,
  "shared/error-sets/more.yaml": `$ref: all.yaml\n"413": { $ref: ../responses/Bad.yaml }\n`,
  "shared/header-sets/standard.yaml": "Age: { $ref: ../headers/Age.yaml }\n",
  "shared/responses/Bad.yaml": "headers:\n  $ref: ../header-sets/standard.yaml\n",
  "shared/headers/Age.yaml": "{}",
};

const reportsOf = (item: string) =>
  check(referenceSiblings, { ...files, "ioc/paths/things_v1.yaml": item }).map((report) => [
    report.line,
    report.found,
  ]);

test("sets with additional members are valid, and so are schemas", () => {
  const item = `get:
  parameters:
    - name: q
      schema: { $ref: ../schemas/Text.yaml, default: a }
    - { $ref: ../parameters/Ids.yaml, description: Which things. }
  responses:
    $ref: ../../shared/error-sets/more.yaml
    "200":
      headers:
        $ref: ../../shared/header-sets/standard.yaml
        Link: { $ref: ../../shared/headers/Link.yaml }
`;
  expect(reportsOf(item)).toEqual([]);
});

test("other siblings of a reference are found", () => {
  const item = `get:
  parameters:
    - { $ref: ../parameters/Ids.yaml, required: true }
`;
  expect(reportsOf(item)).toEqual([[3, "required beside a $ref"]]);
});

test("a set in another place, and another kind of file in place of a set, are found", () => {
  const item = `get:
  responses:
    $ref: ../../shared/header-sets/standard.yaml
    "400": { $ref: ../../shared/error-sets/all.yaml }
`;
  expect(reportsOf(item)).toEqual([
    [2, "a reference to ../../shared/header-sets/standard.yaml"],
    [4, "a reference to ../../shared/error-sets/all.yaml"],
  ]);
});
