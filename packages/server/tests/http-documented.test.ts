import { createConformance } from "@security-platform/contract-tests";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApi, type TestApi } from "./support/api.ts";
import { sendRaw } from "./support/raw-request.ts";

let api: TestApi;
let finish: () => Promise<void>;
beforeAll(async () => {
  api = await startTestApi(
    { databaseUrl: "sqlite::memory:", limits: { requestMilliseconds: 1_000, bodyBytes: 2_048 } },
    (cleanUp) => (finish = cleanUp),
  );
});
afterAll(() => finish());

test("requests are checked against the document, including headers and scopes", async () => {
  const broken = await api.request("GET", "/user-management/queries/users/v1", {
    query: { limits: 1 },
  });
  expect(broken.status).toBe(400);
  expect(broken.text).toContain("query.limits: unknown parameter; did you mean limit?");
  const path = "/image-assessment/entities/image-inventory/v1";
  const unheaded = await api.request("POST", path, { body: {} });
  expect(unheaded.status).toBe(400);
  expect(unheaded.text).toContain("header.X-Scan-Ticket: is required");
  const read = await api.newToken(api.client, { scope: "user-management:read" });
  const refused = await api.request("POST", "/user-management/entities/users/v1", { token: read });
  expect(refused.status).toBe(403);
});

const indicators = "/iocs/entities/indicators/v1";

test.each([
  [408, `host: x\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{`],
  [431, `host: x\r\na: ${"b".repeat(100_000)}\r\n\r\n`],
])("the operation documents a %d that occurs before its handler", async (status, rest) => {
  const head = `POST ${indicators} HTTP/1.1\r\nauthorization: Bearer ${api.token}\r\n`;
  const answer = await sendRaw(api.url, head + rest);
  expect(answer.status).toBe(status);
  const [, ...lines] = answer.head.split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => {
      const [name = "", value = ""] = line.split(": ", 2);
      return [name.toLowerCase(), value];
    }),
  );
  const operation = { id: "indicator.create.v1" };
  const { body } = answer;
  expect(createConformance().check({ operation, status, headers, body })).toEqual([]);
});

test.each([
  ["of a type that nobody reads", "text/plain", "x"],
  ["without a type", undefined, "x"],
  ["above the limit", "application/json", " ".repeat(4_096)],
])("a body %s, if the operation has none, causes a documented 400", async (_name, type, body) => {
  const ids = "a".repeat(64);
  const sent = await fetch(`${api.url}${indicators}?ids=${ids}`, {
    method: "DELETE",
    headers: {
      authorization: `Bearer ${api.token}`,
      ...(type === undefined ? {} : { "content-type": type }),
    },
    body: Buffer.from(body),
  });
  expect(sent.status).toBe(400);
  expect(await sent.json()).toMatchObject({
    errors: [{ message: "body: expected none, because this operation takes no body" }],
  });
});

test("a file is available in its own media type only", async () => {
  const path =
    "/container-security/entities/exports/files/v1?id=0d9f6b0c-1111-4222-8333-444455556666";
  const refused = await api.request("GET", path, { headers: { accept: "application/xml" } });
  expect(refused.status).toBe(406);
});
