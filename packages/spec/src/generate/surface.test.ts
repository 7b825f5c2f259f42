import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { bundle } from "./bundle.ts";
import { operationsIndex } from "./operations-index.ts";
import { surface } from "./surface.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));

test.each([
  ["surface.txt", "security-platform"],
  ["companion-surface.txt", "companion"],
])(
  "spec/%s lists the document's operations; after an intended change run `npm run surface -w @security-platform/spec`",
  (file, api) => {
    const committed = readFileSync(new URL(`../../../../spec/${file}`, import.meta.url), "utf8");
    expect(surface(operationsIndex(bundle(root, api)))).toBe(committed);
  },
);

test("one sorted line per operation, with its statuses and its scope", () => {
  const operation = {
    method: "post",
    path: "/b",
    id: "b.v1",
    responses: [{ status: 200 }, { status: 400 }],
    scope: null,
  };
  const second = { ...operation, method: "get", path: "/a", id: "a.v1", scope: "ioc:read" };
  expect(surface([operation, second] as never)).toBe(
    "GET /a a.v1 200,400 ioc:read\nPOST /b b.v1 200,400 -\n",
  );
});
