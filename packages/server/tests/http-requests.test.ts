import { connect } from "node:net";
import { expect, test } from "vitest";
import { startTestApi, type TestApi, type TestApiOptions } from "./support/api.ts";
import { forEachEngine } from "./support/engines.ts";
import { sharedApi } from "./support/shared-api.ts";

interface ErrorBody {
  readonly meta: { readonly trace_id: string; readonly powered_by: string };
  readonly errors: readonly { readonly code: number; readonly message: string }[];
}

const indicators = "/iocs/entities/indicators/v1";
const combined = "/iocs/combined/indicator/v1";
const domain = {
  type: "domain",
  value: "bad.example",
  action: "detect",
  severity: "high",
  platforms: ["windows"],
  applied_globally: true,
};

const messages = (body: ErrorBody): readonly string[] => body.errors.map(({ message }) => message);

forEachEngine((engine) => {
  const { open: start } = sharedApi(engine);
  const startWith = async (options: Partial<TestApiOptions>): Promise<TestApi> =>
    startTestApi({ databaseUrl: await engine.url(), ...options });

  test("every response has a trace id, and the Envelope of an error has the same one", async () => {
    const api = await start();
    const answer = await api.request<ErrorBody>("GET", combined, { query: { limit: 0 } });
    expect(answer.status).toBe(400);
    expect(answer.headers.get("x-trace-id")).toBe(answer.body.meta.trace_id);
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });

  test("malformed JSON is rejected with the offset of the error", async () => {
    const api = await start();
    const answer = await api.request<ErrorBody>("POST", indicators, {
      body: '{"indicators": [oops]}',
    });
    expect(answer.status).toBe(400);
    expect(messages(answer.body)[0]).toContain("not valid JSON at offset 16");
  });

  test("a body that is not UTF-8 is rejected", async () => {
    const api = await start();
    const response = await fetch(api.url + indicators, {
      method: "POST",
      headers: { authorization: `Bearer ${api.token}`, "content-type": "application/json" },
      body: new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]),
    });
    expect(response.status).toBe(400);
    expect(messages((await response.json()) as ErrorBody)[0]).toContain("offset 2: not UTF-8");
  });

  test("all problems of a request are reported at once, each with its place", async () => {
    const api = await start();
    const answer = await api.request<ErrorBody>("POST", indicators, {
      query: { retrodetects: "maybe", ignore_warning: true },
      body: { indicators: [{ ...domain, type: "domian", platforms: "windows", severty: "high" }] },
    });
    expect(answer.status).toBe(400);
    expect(messages(answer.body)).toEqual([
      'query.retrodetects: expected true or false, got "maybe"',
      "query.ignore_warning: unknown parameter; did you mean ignore_warnings?",
      expect.stringMatching(
        /^body\.indicators\[0\]\.severty: unknown field; did you mean severity\?$/,
      ),
      expect.stringMatching(
        /^body\.indicators\[0\]\.type: expected one of .*did you mean domain\?$/,
      ),
      'body.indicators[0].platforms: expected a list, got "windows"',
    ]);
  });

  test.each([0, 2_001, -1])("a limit of %i is rejected, not clamped", async (limit) => {
    const api = await start();
    const answer = await api.request<ErrorBody>("GET", combined, { query: { limit } });
    expect(answer.status).toBe(400);
    expect(messages(answer.body)).toEqual([
      `query.limit: expected an integer from 1 to 2000, got ${limit}`,
    ]);
  });

  test("a repeated parameter is rejected", async () => {
    const api = await start();
    const answer = await api.request<ErrorBody>("GET", combined, { query: "limit=1&limit=2" });
    expect(messages(answer.body)).toEqual(["query.limit: expected one value, got 2"]);
  });

  test("the error for an unknown path names the nearest, for a wrong method the right ones", async () => {
    const api = await start();
    const path = await api.request<ErrorBody>("GET", "/iocs/entities/indicator/v1");
    expect(path.status).toBe(404);
    expect(messages(path.body)[0]).toContain("the nearest is /iocs/entities/indicators/v1");
    const method = await api.request<ErrorBody>("PUT", indicators);
    expect(method.status).toBe(405);
    expect(method.headers.get("allow")).toBe("GET, POST, PATCH, DELETE");
  });

  test("an invalid percent-encoding in the path causes a 400 in the Envelope", async () => {
    const api = await start();
    const answer = await api.request<ErrorBody>("GET", "/iocs/%zz");
    expect([answer.status, answer.body.errors[0]?.code]).toEqual([400, 400]);
  });

  test("unsupported media types of the body and of the response are rejected", async () => {
    const api = await start();
    const accept = await api.request<ErrorBody>("GET", combined, {
      headers: { accept: "text/html" },
    });
    expect(accept.status).toBe(406);
    const content = await api.request<ErrorBody>("POST", indicators, {
      body: "<a/>",
      headers: { "content-type": "application/xml" },
    });
    expect(content.status).toBe(415);
    expect(messages(content.body)[0]).toContain("send application/json");
    const form = await api.request<ErrorBody>("POST", indicators, {
      body: "indicators=1",
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    expect(form.status).toBe(415);
  });

  test("a body above the limit is rejected and not stored", async () => {
    const api = await startWith({ limits: { bodyBytes: 2_048 } });
    const answer = await api.request<ErrorBody>("POST", indicators, {
      body: { comment: "x".repeat(4_096), indicators: [domain] },
    });
    expect(answer.status).toBe(413);
    expect(messages(answer.body)[0]).toContain("2048 bytes");
    const list = await api.request<unknown[]>("GET", combined);
    expect(list.body).toEqual([]);
  });

  test("a client that stops sending receives a 408", async () => {
    const api = await startWith({ limits: { requestMilliseconds: 1_000 } });
    const { hostname, port } = new URL(api.url);
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(
          `POST ${indicators} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${api.token}\r\n` +
            'content-type: application/json\r\ncontent-length: 500\r\n\r\n{"indicators": [',
        );
      });
      let text = "";
      socket.on("data", (chunk) => (text += chunk.toString()));
      socket.on("close", () => resolve(text));
      socket.on("error", reject);
    });
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toContain("the complete request did not arrive in time");
    const list = await api.request<unknown[]>("GET", combined);
    expect(list.body).toEqual([]);
  });

  test("a message that is not HTTP also gets an Envelope", async () => {
    const api = await start();
    const { hostname, port } = new URL(api.url);
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => socket.write("hello\r\n\r\n"));
      let text = "";
      socket.on("data", (chunk) => (text += chunk.toString()));
      socket.on("close", () => resolve(text));
      socket.on("error", reject);
    });
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('"powered_by":"security-platform"');
  });

  test("the Envelope representation contains the same records and the page data", async () => {
    const api = await start();
    await api.request("POST", indicators, { body: { indicators: [domain] } });
    const plain = await api.request<unknown[]>("GET", combined, { query: { offset: 0 } });
    const envelope = await api.request<{ resources: unknown[]; meta: object; errors: unknown[] }>(
      "GET",
      combined,
      {
        query: { offset: 0 },
        headers: { accept: "application/vnd.security-platform.envelope+json" },
      },
    );
    expect(plain.headers.get("x-total-count")).toBe("1");
    expect(envelope.body.resources).toEqual(plain.body);
    expect(envelope.body.errors).toEqual([]);
    expect(envelope.body.meta).toMatchObject({ pagination: { limit: 100, offset: 1, total: 1 } });
  });

  test("a server can be configured to use the Envelope by default", async () => {
    const api = await startWith({ config: { compat: true } });
    const answer = await api.request<{ resources: unknown[] }>("GET", combined);
    expect(answer.body.resources).toEqual([]);
  });
});
