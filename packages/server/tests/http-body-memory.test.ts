/** @module-tag exhaustive */
import { readdirSync, statSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startTestApi, type TestApi } from "./support/api.ts";

const kilobyte = 1_024;
const start = (bodyMemoryBytes = 160 * kilobyte): Promise<TestApi> =>
  startTestApi({ databaseUrl: "sqlite::memory:", limits: { bodyMemoryBytes } });

const groups = "/iocs/entities/indicators/v1";
const formType = "application/x-www-form-urlencoded";

interface Stalled {
  /** Ends the connection in the middle of the request. */
  end(): void;
}

/** Sends the start of a request, and then nothing. */
function stall(
  { url, token }: TestApi,
  path: string,
  type: string,
  body: string,
  isAnonymous = false,
): Stalled {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => undefined);
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: ${type}\r\ncontent-length: ${body.length + 100}\r\n` +
      `${isAnonymous ? "" : `authorization: Bearer ${token}\r\n`}\r\n${body}`,
  );
  onTestFinished(() => void socket.destroy());
  return { end: () => socket.destroy() };
}

const sendJson = async ({ request }: TestApi, bytes: number) =>
  request("POST", groups, { body: JSON.stringify({ comment: "x".repeat(bytes) }) });

const sendForm = async ({ request }: TestApi, bytes: number) =>
  request("POST", "/oauth2/token", {
    token: null,
    headers: { "content-type": formType },
    body: `unknown=${"x".repeat(bytes)}`,
  });

test("bodies beyond the memory for bodies are refused until others are complete or gone", async () => {
  const api = await start();
  expect((await sendJson(api, 100 * kilobyte)).status).toBe(400);
  const json = `{"comment":"${"x".repeat(100 * kilobyte)}`;
  const first = stall(api, groups, "application/json", json);
  await expect.poll(async () => (await sendJson(api, 60 * kilobyte)).status).toBe(503);
  const refused = await sendJson(api, 60 * kilobyte);
  expect(refused.headers.get("retry-after")).toBe("5");
  expect(refused.text).toContain("the server is receiving too many bodies at once; retry in 5 s");
  expect((await sendJson(api, 30 * kilobyte)).status).toBe(400);
  first.end();
  await expect.poll(async () => (await sendJson(api, 60 * kilobyte)).status).toBe(400);
});

test("callers without a token have a small part of it, and cannot use the rest", async () => {
  const api = await start();
  expect((await sendForm(api, 12 * kilobyte)).status).toBe(400);
  const forms = [1, 2, 3].map(() =>
    stall(api, "/oauth2/token", formType, `a=${"x".repeat(3 * kilobyte)}`, true),
  );
  await expect.poll(async () => (await sendForm(api, 2 * kilobyte)).status).toBe(503);
  expect((await sendJson(api, 140 * kilobyte)).status).toBe(400);
  expect(await api.newToken(api.client)).not.toBe("");
  for (const form of forms) form.end();
  await expect.poll(async () => (await sendForm(api, 12 * kilobyte)).status).toBe(400);
});

test("a body that is alone is received, however small the memory is", async () => {
  const api = await start();
  expect((await sendJson(api, 1_000 * kilobyte)).status).toBe(400);
});

test("the part of a file that is on the disk needs no memory", async () => {
  const api = await start(4_000 * kilobyte);
  const form =
    '--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n' +
    "x".repeat(4_000 * kilobyte);
  const path = "/case-files/entities/files/upload/v1";
  for (let count = 0; count < 4; count += 1) {
    stall(api, path, "multipart/form-data; boundary=b", form);
  }
  const folder = await api.blobs.incoming();
  const stored = (): number =>
    readdirSync(folder, { recursive: true })
      .map((name) => statSync(join(folder, String(name)), { throwIfNoEntry: false }))
      .reduce((sum, file) => sum + (file?.isFile() === true ? file.size : 0), 0);
  await expect.poll(stored).toBeGreaterThan(11_000 * kilobyte);
  await expect.poll(async () => (await sendJson(api, 2_500 * kilobyte)).status).toBe(400);
});
