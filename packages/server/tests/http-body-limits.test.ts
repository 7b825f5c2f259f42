import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import type { ServerLimits } from "../src/foundation/config.ts";
import { startSmallApp } from "./support/small-app.ts";
import { sharedApi } from "./support/shared-api.ts";
import { forEachEngine } from "./support/engines.ts";

const indicators = "/iocs/entities/indicators/v1";

/** The answer to a request that sends only these bytes, and then waits. */
function answerTo(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.on("data", (part) => {
      text += part.toString();
      if (!text.endsWith("}")) return;
      resolve(text);
      socket.destroy();
    });
    socket.on("error", reject);
    socket.on("close", () => reject(new Error("closed without an answer")));
  });
}

const head = (target: string, headers: Readonly<Record<string, string | number>>): string =>
  `POST ${target} HTTP/1.1\r\nhost: x\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("")}\r\n`;

const formType = { "content-type": "application/x-www-form-urlencoded" };
const jsonType = { "content-type": "application/json" };
const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;
const fields = (count: number): string =>
  Array.from({ length: count }, (_, index) => `f${index}=`).join("&");

/** Sends the first part, and after the answer the second. Resolves with the answer if both could be sent. */
function answerBeforeRest(url: string, first: string, rest: Buffer): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    socket.on("data", (part) => (text += part.toString()));
    socket.on("error", reject).on("close", () => resolve(text));
    socket.on("end", () => socket.end(rest));
    socket.write(first);
  });
}

forEachEngine((engine) => {
  const { open } = sharedApi(engine);

  test.each([
    { path: "/oauth2/token", headers: formType, status: 413 },
    { path: "/oauth2/token", headers: jsonType, status: 415 },
    { path: indicators, headers: jsonType, status: 401 },
    { path: "/no/operation", headers: jsonType, status: 404 },
  ])(
    "a caller who closes the connection can send the rest of a refused body ($status)",
    async ({ path, headers, status }) => {
      const { url } = await open();
      const size = 8 * 1024 * 1024;
      const announced = { ...headers, connection: "close", "content-length": size };
      const answer = await answerBeforeRest(url, head(path, announced), Buffer.alloc(size, "a"));
      expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    },
  );

  describe.each(["/oauth2/token", "/oauth2/revoke"])("a form of %s", (path) => {
    test("is refused before it arrives if it is larger than 16 KiB", async () => {
      const { url } = await open();
      const announced = head(path, { ...formType, "content-length": 16 * 1024 + 1 });
      const message = "the body is larger than the limit of 16384 bytes";
      expect(await answerTo(url, announced)).toMatch(/^HTTP\/1\.1 413 /);
      const chunked = head(path, { ...formType, "transfer-encoding": "chunked" });
      const answer = await answerTo(url, chunked + chunk(`a=${"x".repeat(16 * 1024)}`));
      expect(answer).toMatch(/^HTTP\/1\.1 413 /);
      expect(answer).toContain(message);
    });

    test("is refused if it has more than 20 fields", async () => {
      const { request } = await open();
      const send = (body: string) =>
        request<{ errors: { message: string }[] }>("POST", path, {
          body,
          headers: formType,
          token: null,
        });
      const many = await send(fields(21));
      expect(many.status).toBe(413);
      expect(many.body.errors[0]?.message).toBe("the form has more than the limit of 20 fields");
      expect((await send("&".repeat(16_000))).status).toBe(413);
      expect((await send(fields(20))).status).toBe(400);
    });
  });

  test("a JSON body with too many values is refused before its rest arrives", async () => {
    const { url, token } = await open();
    const request = head(indicators, {
      ...jsonType,
      authorization: `Bearer ${token}`,
      "content-length": 9_000_000,
    });
    const answer = await answerTo(url, `${request}{"indicators":[${"{},".repeat(200_000)}`);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain("the body has more than the limit of 200000 JSON values");
  });
});

const startTaking = (limits: Partial<ServerLimits>) =>
  startSmallApp(
    {
      take: {
        method: "post",
        answer: "object",
        requestBody: { required: true, content: { "application/json": {} } },
        handle: () => ({ kind: "object", object: {} }),
      },
    },
    { limits },
  );

/** The status of a body that arrives in parts of `size` characters. */
async function statusOf(url: string, body: string, size: number): Promise<number> {
  const parts = body.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
  const chunks = `${parts.map(chunk).join("")}${chunk("")}`;
  const answer = await answerTo(
    url,
    head("/take", { ...jsonType, "transfer-encoding": "chunked" }) + chunks,
  );
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
}

describe("the values of a JSON body", () => {
  test.each([
    ["[1,2,3,4]", 200],
    ["[1,2,3,4,5]", 413],
    ['{"a":1,"b":[],"c":{},"d":null}', 200],
    ['{"a":1,"b":[],"c":{},"d":null,"e":0}', 413],
    ["[[[[[]]]]]", 200],
    ["[[[[[[]]]]]]", 413],
    ["[ [ ], { }, [\n], {\t} ]", 200],
    [String.raw`["a,b\",[[[{","\\",",,,,,,,",""]`, 200],
    [String.raw`["a\\",1,2,3,4]`, 413],
  ])("in %s: status %i", async (body, status) => {
    const { url } = await startTaking({ bodyValues: 5 });
    // Each part ends at another place.
    for (const size of [1, 2, 3, 7, 100]) {
      expect(await statusOf(url, body, size)).toBe(status);
    }
  });
});

describe("the names in a JSON body", () => {
  const named = (count: number): string =>
    Array.from({ length: count }, (_, index) => `"n\\"${index}":"v${index}"`).join();

  test.each([
    ["10,000 names", `[{${named(10_000)}}]`, 200],
    ["one name more", `[{${named(10_001)}}]`, 413],
    ["the same names again", `[{${named(6_000)}},{${named(6_000)}},{"a":[{${named(9)}}]}]`, 200],
    ["other names in other objects", `[{${named(9_000)}},${fieldObjects(1_001)}]`, 413],
    [
      "texts that are no names",
      `["a",${Array.from({ length: 20_000 }, (_, at) => `"${at}"`)}]`,
      200,
    ],
  ])("%s", async (_name, body, status) => {
    const { url } = await startTaking({});
    for (const size of [997, 1_000_000]) {
      expect(await statusOf(url, body, size)).toBe(status);
    }
  });
});

describe("the texts of a large JSON body", () => {
  const mebibyte = 2 ** 20;

  test.each([
    ["a text of 9 MiB", `["${"x".repeat(9 * mebibyte)}"]`, 200],
    ["a text of 11 MiB", `["${"x".repeat(11 * mebibyte)}"]`, 413],
    ["white space of 11 MiB", `[${" ".repeat(11 * mebibyte)}]`, 413],
    [
      "12 texts of 1 MiB",
      `[${Array(12)
        .fill(`"${"x".repeat(mebibyte)}"`)
        .join()}]`,
      200,
    ],
  ])("%s", async (_name, body, status) => {
    const { url } = await startTaking({ bodyBytes: 20 * mebibyte });
    expect(await statusOf(url, body, 100_000)).toBe(status);
  });
});

/** An object for each name. */
function fieldObjects(count: number): string {
  return Array.from({ length: count }, (_, index) => `{"m":[[],{"o${index}":[]}]}`).join();
}
