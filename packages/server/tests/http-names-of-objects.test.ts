/**
 * @module-tag exhaustive
 * @module-tag nightly
 */
import { operations, type Operation } from "@security-platform/spec";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestApi, type TestApi } from "./support/api.ts";
import { exampleRequest } from "./support/example-request.ts";

/** Members that every object of JavaScript has; a look-up by such a name must not find them (CWE-1321). */
const names = ["__proto__", "constructor", "toString"];

let api: TestApi;
let finish: () => Promise<void>;
beforeAll(async () => {
  api = await startTestApi({ databaseUrl: "sqlite::memory:" }, (cleanUp) => (finish = cleanUp));
});
afterAll(() => finish());

interface Variant {
  readonly address: string;
  readonly body: string | undefined;
}

/** Requests with the name in place of each value in turn, and as a further member of each object. */
function* variants(operation: Operation, name: string): Iterable<Variant> {
  const { address, body: form } = exampleRequest(operation);
  const body = typeof form === "string" ? form : undefined;
  for (const { name: parameter, fql } of operation.parameters.filter(
    ({ in: at }) => at === "query",
  )) {
    const values =
      fql?.use === "filter" ? [`${name}:'a'`, `x.${name}:*'a*'`] : [name, `${name}|asc`];
    for (const value of values) {
      const url = new URL(address, "http://server.test");
      url.searchParams.set(parameter, value);
      yield { address: url.pathname + url.search, body };
    }
  }
  if (operation.path.includes("{")) {
    yield { address: operation.path.replaceAll(/\{[^}]+\}/g, name), body };
  }
  if (body === undefined) return;
  for (const text of replaced(JSON.parse(body), name)) yield { address, body: text };
}

/** Texts, because an object cannot hold a member `__proto__` as others are written. */
function* replaced(value: unknown, name: string): Iterable<string> {
  if (typeof value === "string") yield JSON.stringify(name);
  if (typeof value !== "object" || value === null) return;
  const isList = Array.isArray(value);
  const parts = Object.entries(value).map(([key, member]) =>
    isList ? JSON.stringify(member) : `${JSON.stringify(key)}:${JSON.stringify(member)}`,
  );
  const whole = (texts: readonly string[]): string =>
    isList ? `[${texts.join()}]` : `{${texts.join()}}`;
  if (!isList) yield whole([...parts, `${JSON.stringify(name)}:{"a":"b"}`]);
  for (const [at, [key, member]] of Object.entries(value).entries()) {
    for (const text of replaced(member, name)) {
      yield whole(parts.with(at, isList ? text : `${JSON.stringify(key)}:${text}`));
    }
  }
}

const usesToken = ({ path }: Operation): boolean => !path.startsWith("/oauth2/");

describe.each(names)("the name %s", (name) => {
  test("causes no server error in place of a field, a value or a member", async () => {
    let sent = 0;
    for (const operation of operations().filter(usesToken)) {
      const { headers } = exampleRequest(operation);
      const all = { ...headers, authorization: `Bearer ${api.token}` };
      for (const { address, body } of variants(operation, name)) {
        const response = await fetch(api.url + address, {
          method: operation.method.toUpperCase(),
          headers: all,
          ...(body === undefined ? {} : { body }),
        });
        const text = await response.text();
        expect(response.status, `${operation.id}: ${address} ${body}: ${text}`).toBeLessThan(500);
        sent += 1;
      }
    }
    expect(sent).toBeGreaterThan(1_000);
  });
});

test("labels of an aggregate may have these names", async () => {
  const filters = `{"__proto__":"value:'a'","constructor":"value:'b'"}`;
  const body = `{"name":"toString","type":"filters","filters_spec":{"filters":${filters}}}`;
  const response = await fetch(`${api.url}/iocs/aggregates/indicators/v1`, {
    method: "POST",
    headers: { authorization: `Bearer ${api.token}`, "content-type": "application/json" },
    body,
  });
  expect(await response.json()).toMatchObject([
    { name: "toString", buckets: [{ label: "__proto__" }, { label: "constructor" }] },
  ]);
});
