import { expect, test } from "vitest";
import { check, onePath } from "../testing/check.ts";
import { sharedHeaders } from "./shared-headers.ts";

const names = ["X-Trace-Id", "X-Content-Type-Options", "Cache-Control", "Link"];
const headers = Object.fromEntries(names.map((name) => [`shared/headers/${name}.yaml`, "{}"]));
const refs = (...list: readonly string[]) =>
  list.map((name) => `        ${name}: { $ref: ../../shared/headers/${name}.yaml }\n`).join("");

const checked = (item: string) =>
  check(sharedHeaders, { "openapi.yaml": onePath, ...headers, "ioc/paths/things_v1.yaml": item });

test("references to the common headers are sufficient", () => {
  const item = `get:\n  responses:\n    "200":\n      headers:\n${refs(...names.slice(0, 3))}`;
  expect(checked(item)).toEqual([]);
});

test("headers of a shared set count", () => {
  const files = {
    "openapi.yaml": onePath,
    ...headers,
    "shared/header-sets/standard.yaml":
      "X-Trace-Id: { $ref: ../headers/X-Trace-Id.yaml }\nAge: { $ref: ../headers/Link.yaml }\n",
    "ioc/paths/things_v1.yaml": `get:
  responses:
    "200":
      headers:
        $ref: ../../shared/header-sets/standard.yaml
${refs("X-Content-Type-Options")}`,
  };
  expect(check(sharedHeaders, files)).toMatchObject([
    { file: "ioc/paths/things_v1.yaml", line: 4, found: "no Cache-Control" },
    { file: "shared/header-sets/standard.yaml", line: 2 },
  ]);
});

test("a page and a 401 require more headers", () => {
  const item = `get:
  x-paging: after
  responses:
    "200":
      headers:
${refs(...names)}    "401":
      headers:
${refs(...names.slice(0, 3))}`;
  expect(checked(item).map(({ line, found }) => [line, found])).toEqual([
    [5, "no X-Pagination-Limit"],
    [5, "no X-Pagination-After"],
    [11, "no WWW-Authenticate"],
  ]);
});

test("an unshared header and one under another name are found", () => {
  const item = `get:
  responses:
    "200":
      headers:
${refs(...names.slice(0, 3))}        Age: { schema: { type: integer } }
        Date: { $ref: ../../shared/headers/Link.yaml }
`;
  expect(checked(item).map(({ line, found }) => [line, found])).toEqual([
    [8, "header Age from an inline description"],
    [9, "header Date from shared/headers/Link.yaml"],
  ]);
});
