/** The secret and the tokens are in nothing that a caller can reach or print. */
import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { UnexpectedResponseError } from "../src/index.ts";
import { clientSecret, failure, start } from "./support/scripted-client.ts";
import { envelope, type Reply } from "./support/scripted-server.ts";

/** The texts in everything that can be reached from a value, also by getters and hidden members. */
function textsOf(root: unknown): readonly string[] {
  const seen = new Set<unknown>();
  const texts: string[] = [];
  const queue = [root];
  for (let value = queue.pop(); value !== undefined || queue.length > 0; value = queue.pop()) {
    if (typeof value === "string") texts.push(value);
    if ((typeof value !== "object" && typeof value !== "function") || value === null) continue;
    if (seen.has(value)) continue;
    seen.add(value);
    if (typeof value === "function") texts.push(String(value));
    if (value instanceof Map || value instanceof Set || value instanceof Headers) {
      queue.push(...[...value].flat());
    }
    for (const key of Reflect.ownKeys(value)) {
      texts.push(String(key));
      const { value: member, get } = Reflect.getOwnPropertyDescriptor(value, key) ?? {};
      queue.push(get === undefined ? member : Reflect.apply(get, value, []));
    }
  }
  return texts;
}

const encoded = new URLSearchParams({ _: clientSecret }).toString().slice(2);
const pattern = /token-\d|Bearer|Basic /;

function expectNoSecret(value: unknown): void {
  const printed = [inspect(value, { depth: Infinity, showHidden: true }), JSON.stringify(value)];
  const text = [...textsOf(value), ...printed, String(value)].join("\n");
  expect(text).not.toContain(clientSecret);
  expect(text).not.toContain(encoded);
  expect(text).not.toMatch(pattern);
}

const broken = new TypeError("fetch failed", { cause: new Error("socket hang up") });

describe("the secret and the tokens", () => {
  test("are found by this test where they are", () => {
    const hidden = Object.defineProperty(new Error("x"), "request", {
      value: { headers: new Headers({ authorization: "Bearer token-1" }) },
    });
    expect(() => expectNoSecret({ cause: hidden })).toThrow();
    expect(() => expectNoSecret({ deep: [new Map([["a", clientSecret]])] })).toThrow();
  });

  test.each<[string, Reply | Error]>([
    ["a success", { body: [] }],
    ["a rejection", envelope(400, "no")],
    ["a rejected token", envelope(401, "no")],
    ["a redirect", { status: 302, headers: { location: "https://other.test/" } }],
    ["a proxy's page", { headers: { "content-type": "text/html" }, body: "<html>" }],
    ["a lost connection", broken],
  ])("are not in the client, its answers, errors, events and lines: %s", async (_, reply) => {
    const reached: unknown[] = [];
    const reach = (event: unknown): void => void reached.push(event);
    const { client, server } = start({
      debug: reach,
      hooks: { onRequest: reach, onResponse: reach, onRetry: reach, onError: reach },
    });
    server.answer = () => {
      if (reply instanceof Error) throw reply;
      return reply;
    };
    await client.ioc.listPlatforms().then(reach, reach);
    await client.ioc.createIndicators.try({ body: { indicators: [] } }).then(reach, reach);
    server.grant = server.answer;
    await client.revokeToken().catch(reach);
    await client.ioc.listPlatforms().then(reach, reach);
    reach(client);
    reach(await failure(client.forTenant("0".repeat(32)).ioc.listPlatforms()));
    expect(server.calls.length + server.tokenRequests.length).toBeGreaterThan(2);
    expectNoSecret(reached);
  });

  test("are not in the error of a token that no header can contain", async () => {
    const { client, server } = start();
    server.grant = () => ({ status: 201, body: { access_token: "token-1\n", expires_in: 1_799 } });
    const error = await failure(client.ioc.listPlatforms());
    expect(error).toBeInstanceOf(UnexpectedResponseError);
    expectNoSecret(error);
  });
});
