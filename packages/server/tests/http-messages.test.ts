import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { sharedApi } from "./support/shared-api.ts";
import { sendRaw, sendTarget, type RawAnswer } from "./support/raw-request.ts";

const { api } = sharedApi(async () => "sqlite::memory:", { config: { development: true } });

const token = "/oauth2/token";
const messages = ({ body }: RawAnswer): readonly string[] =>
  (JSON.parse(body) as { errors: { message: string }[] }).errors.map(({ message }) => message);

describe("an ambiguous message is rejected, and the connection is closed", () => {
  const chunked = "2\r\n{}\r\n0\r\n\r\n";
  test.each([
    ["two hosts", `GET /healthz HTTP/1.1\r\nHost: a\r\nhost: a\r\n\r\n`, "headers.host: expected"],
    ["no host", "GET /healthz HTTP/1.1\r\n\r\n", "headers.host: is required"],
    ...["gzip, chunked", "identity, chunked", "xchunked"].map((coding) => [
      coding,
      `POST ${token} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: ${coding}\r\n\r\n${chunked}`,
      "headers.transfer-encoding: expected chunked alone",
    ]),
    ...["chunked, chunked", "chunked\r\nContent-Length: 5"].map((coding) => [
      coding,
      `POST ${token} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: ${coding}\r\n\r\n${chunked}`,
      "this is not a valid HTTP/1.1 request",
    ]),
  ])("%s", async (_name, bytes = "", message = "") => {
    // A second request on the connection gets no response.
    const answer = await sendRaw(api().url, `${bytes}GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n`);
    expect(answer.status).toBe(400);
    expect(messages(answer)).toEqual([expect.stringContaining(message)]);
  });

  test("HTTP/1.0 needs no host", async () => {
    expect((await sendRaw(api().url, "GET /healthz HTTP/1.0\r\n\r\n")).status).toBe(200);
  });

  test("a chunked body is read; the coding ignores case", async () => {
    const answer = await sendRaw(
      api().url,
      `POST ${token} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: Chunked\r\n` +
        `Content-Type: application/x-www-form-urlencoded\r\n\r\n3\r\na=b\r\n0\r\n\r\n`,
    );
    expect(messages(answer)[0]).toBe("body.a: unknown field");
  });
});

test("a request with a broken body gets one response, even if its headers would also be rejected", async () => {
  const answer = await sendRaw(
    api().url,
    "POST /iocs/entities/indicators/v1 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n" +
      "Content-Type: application/json\r\n\r\nno chunk\r\n\r\n",
  );
  expect(answer.status).toBe(400);
  expect(messages(answer)).toHaveLength(1);
});

test.each(["/healthz", "/files/a", "/_control/faults", "/docs/", "/nowhere"])(
  "an unreadable query of %s is an Envelope with its trace id",
  async (path) => {
    const answer = await sendTarget(api().url, `${path}?a=%zz`);
    expect(answer.status).toBe(400);
    expect(messages(answer)[0]).toContain("query.a: contains a percent-encoding that is not UTF-8");
    expect(answer.head).toMatch(/^x-trace-id: /im);
  },
);

test("a compressed body is rejected, and never decompressed", async () => {
  const body = gzipSync(Buffer.alloc(50_000_000, " "));
  for (const encoding of ["gzip", "br", "gzip, identity"]) {
    const headers = {
      authorization: `Bearer ${api().token}`,
      "content-type": "application/json",
      "content-encoding": encoding,
    };
    const url = `${api().url}/iocs/entities/indicators/v1`;
    const answer = await fetch(url, { method: "POST", body, headers });
    expect(answer.status).toBe(415);
    expect(await answer.text()).toContain(`Content-Encoding ${encoding} is not supported`);
  }
});

test.each([
  ["POST", "/healthz", "GET, HEAD"],
  ["TRACE", "/readyz", "GET, HEAD"],
  ["DELETE", `/files/${"a".repeat(64)}`, "GET, HEAD"],
  ["PROPFIND", "/files/a", "GET, HEAD"],
  ["PUT", "/_control/faults", "GET, POST, DELETE"],
  ["HEAD", "/iocs/queries/indicators/v1", "GET"],
])("%s of %s causes a 405 with Allow", async (method, path, allow) => {
  const answer = await sendTarget(api().url, path, { method });
  expect(answer.status).toBe(405);
  expect(answer.head).toMatch(new RegExp(`^allow: ${allow}\r?$`, "im"));
});
