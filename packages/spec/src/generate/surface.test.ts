import { expect, test } from "vitest";
import { surface } from "./surface.ts";

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
