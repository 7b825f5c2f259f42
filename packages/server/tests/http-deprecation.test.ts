import { operations } from "@security-platform/spec";
import { expect, test } from "vitest";
import { errors } from "../src/foundation/errors.ts";
import { startTestApi } from "./support/api.ts";
import { exampleRequest } from "./support/example-request.ts";
import { startSmallApp } from "./support/small-app.ts";

const deprecatedAt = 1_767_225_600;
const page = { limit: 1, offset: 1, nextOffset: 2 };

const start = () =>
  startSmallApp({
    old: {
      deprecatedAt,
      replacedBy: "new" as never,
      parameters: [{ name: "offset", in: "query", required: false, schema: { type: "integer" } }],
      handle: () => ({ kind: "ids", ids: ["a"], page }),
    },
    oldest: {
      deprecatedAt,
      handle: () => {
        throw errors.forbidden("no");
      },
    },
    new: { handle: () => ({ kind: "ids", ids: [] }) },
  });

test("a response contains the deprecation time of the operation, and a link to its successor", async () => {
  const { url } = await start();
  const { headers } = await fetch(`${url}/old?offset=1`);
  expect(headers.get("deprecation")).toBe("@1767225600");
  expect(headers.get("link")).toBe(
    '</old?offset=2>; rel="next", </old?offset=0>; rel="prev", </old?offset=0>; rel="first", ' +
      '</new>; rel="successor-version"',
  );
});

test("errors contain them too, and without a successor there is no link", async () => {
  const { url } = await start();
  const invalid = await fetch(`${url}/old?limit=1`);
  expect([invalid.status, invalid.headers.get("link")]).toEqual([
    400,
    '</new>; rel="successor-version"',
  ]);
  const forbidden = await fetch(`${url}/oldest`);
  expect(forbidden.status).toBe(403);
  expect(forbidden.headers.get("deprecation")).toBe("@1767225600");
  expect(forbidden.headers.has("link")).toBe(false);
});

test("other operations have no deprecation headers", async () => {
  const { url } = await start();
  const { headers } = await fetch(`${url}/new`);
  expect([headers.has("deprecation"), headers.has("link")]).toEqual([false, false]);
});

test("every deprecated operation of the document sends the headers to every caller", async () => {
  const api = await startTestApi({ databaseUrl: "sqlite::memory:" });
  const deprecated = operations().filter((operation) => operation.deprecated);
  const paths = new Map(operations().map(({ id, path }) => [id as string, path]));
  for (const operation of deprecated) {
    const { address, headers, body } = exampleRequest(operation);
    for (const authorization of [undefined, `Bearer ${api.token}`]) {
      const response = await fetch(api.url + address, {
        method: operation.method.toUpperCase(),
        headers: { ...headers, ...(authorization === undefined ? {} : { authorization }) },
        ...(body === undefined ? {} : { body }),
      });
      if (authorization === undefined) expect(response.status).toBe(401);
      else expect(response.status, operation.id).toBeLessThan(500);
      expect(response.headers.get("deprecation"), operation.id).toBe("@1767225600");
      const successor = paths.get(operation.replacedBy ?? "");
      expect(response.headers.get("link"), operation.id).toContain(
        `<${successor}>; rel="successor-version"`,
      );
      await response.text();
    }
  }
});
