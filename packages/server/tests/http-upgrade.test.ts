import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { onSqlite } from "./support/engines.ts";
import { sendRaw } from "./support/raw-request.ts";
import { sharedApi } from "./support/shared-api.ts";

const platforms = "/iocs/queries/platforms/v1";
const indicators = "/iocs/entities/indicators/v1";
/** What `curl --http2` sends. */
const h2c =
  "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA\r\n";
const webSocket = "Connection: Upgrade\r\nUpgrade: websocket\r\n";

const bodyOf = (value: string): string =>
  JSON.stringify({
    indicators: [
      { type: "domain", value, action: "no_action", platforms: ["mac"], applied_globally: true },
    ],
  });

/** Sends the second part once the first has arrived. Resolves with all that the server sends until it closes. */
const sendInParts = (url: string, first: string, second: (received: string) => string | null) =>
  new Promise<string>((resolve, reject) => {
    let received = "";
    let isSent = false;
    const { port, hostname } = new URL(url);
    const socket = connect(Number(port), hostname, () => socket.write(first));
    socket.on("data", (part) => {
      received += part.toString();
      if (isSent) return;
      const next = second(received);
      if (next === null) return;
      isSent = true;
      socket.write(next);
    });
    socket.on("error", reject).on("close", () => resolve(received));
  });

const statuses = (text: string): readonly string[] => text.match(/(?<=HTTP\/1\.1 )\d+/g) ?? [];

onSqlite((engine) => {
  const suite = sharedApi(engine);
  const head = (method: string, path: string, more: string, token = suite.api().token): string =>
    `${method} ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n${more}\r\n`;
  const json = (length: number): string =>
    `content-type: application/json\r\ncontent-length: ${length}\r\n`;

  describe("a request for another protocol is answered in HTTP/1.1", () => {
    test("without a body", async () => {
      for (const upgrade of [h2c, webSocket]) {
        const answer = await sendRaw(suite.api().url, head("GET", platforms, upgrade));
        expect(answer.status).toBe(200);
        expect(answer.head).toMatch(/^connection: close$/im);
        expect(answer.body).toContain("linux");
      }
      const unknown = await sendRaw(suite.api().url, head("GET", "/nowhere", h2c));
      expect(unknown.status).toBe(404);
    });

    test("with a body, in one piece or chunked", async () => {
      const whole = bodyOf("whole.example");
      const request = head("POST", indicators, json(whole.length) + h2c) + whole;
      expect((await sendRaw(suite.api().url, request)).status).toBe(201);
      const chunk = bodyOf("chunked.example");
      const framing = "content-type: application/json\r\ntransfer-encoding: chunked\r\n";
      const chunked = `${head("POST", indicators, framing + h2c)}${chunk.length.toString(16)}\r\n${chunk}\r\n0\r\n\r\n`;
      expect((await sendRaw(suite.api().url, chunked)).status).toBe(201);
    });

    test("a request after it is not answered on the same connection, which closes", async () => {
      const body = bodyOf("pipelined.example");
      for (const first of [
        head("GET", platforms, h2c),
        head("POST", indicators, json(body.length) + h2c) + body,
      ]) {
        const answer = await sendRaw(suite.api().url, first + head("GET", "/nowhere", ""));
        expect([200, 201]).toContain(answer.status);
        expect(answer.head).toMatch(/^connection: close$/im);
      }
    });

    test("a request that only names the other protocol keeps its connection", async () => {
      const requests =
        head("GET", platforms, "upgrade: h2c\r\n") +
        head("GET", platforms, "connection: close\r\n");
      const text = await sendInParts(suite.api().url, requests, () => null);
      expect(statuses(text)).toEqual(["200", "200"]);
    });
  });

  describe("a caller that waits for 100 Continue", () => {
    const expects = "expect: 100-continue\r\n";

    test("is asked for the body of a request that is not refused before", async () => {
      const body = bodyOf("continued.example");
      const first = head("POST", indicators, json(body.length) + expects);
      const text = await sendInParts(
        suite.api().url,
        first,
        () => body + head("GET", platforms, "connection: close\r\n"),
      );
      expect(statuses(text)).toEqual(["100", "201", "200"]);
    });

    const form = (path: string, length: number) =>
      `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/x-www-form-urlencoded\r\n` +
      `content-length: ${length}\r\n${expects}\r\n`;

    test("is refused before the body if it is too large, or its target or token is unknown", async () => {
      const { url } = suite.api();
      const refused = [
        [form("/oauth2/token", 20_000), "413"],
        [head("POST", indicators, json(100_000_000) + expects), "413"],
        [head("POST", indicators, json(5_000) + expects, "unknown"), "401"],
        [head("POST", "/nowhere", json(5_000) + expects), "404"],
      ] as const;
      for (const [request, status] of refused) {
        const text = await sendInParts(url, request, () => null);
        expect(statuses(text), request).toEqual([status]);
        expect(text).toMatch(/^connection: close$/im);
      }
    });
  });
});
