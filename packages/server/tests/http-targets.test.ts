import { describe, expect, test } from "vitest";
import { sharedApi } from "./support/shared-api.ts";
import { sendRaw, sendTarget } from "./support/raw-request.ts";
import { startSmallApp } from "./support/small-app.ts";

interface ErrorBody {
  readonly meta: { readonly query_time: number; readonly trace_id: string };
  readonly errors: readonly { readonly code: number; readonly message: string }[];
}

const { open: start } = sharedApi(async () => "sqlite::memory:", { config: { development: true } });

const report = "/image-assessment/entities/reports/v2";

describe("errors outside of the operations", () => {
  test.each([
    ["an unknown path", "GET", "/nowhere", 404],
    ["a wrong method", "PUT", "/iocs/entities/indicators/v1", 405],
    ["an unknown method", "PROPFIND", "/iocs/entities/indicators/v1", 405],
    ["a malformed path", "GET", "/%", 400],
    ["a path parameter that is too long", "GET", `${report}/${"a".repeat(600)}`, 400],
    ["a long segment of an unknown path", "GET", `/nowhere/${"a".repeat(600)}`, 404],
    ["the control plane", "POST", "/_control/nowhere", 404],
    ["a file that is not linked", "GET", "/files/a", 403],
    ["a file with a name that is too long", "GET", `/files/${"a".repeat(600)}`, 400],
    ["a target with all of a URL", "GET", "http://elsewhere.example/nowhere", 404],
    ["the target of all resources", "OPTIONS", "*", 404],
  ])("%s has an Envelope with its own time", async (_name, method, target, status) => {
    const api = await start();
    const answer = await sendTarget(api.url, target, { method });
    expect(answer.status).toBe(status);
    const { meta, errors } = JSON.parse(answer.body) as ErrorBody;
    expect(errors[0]?.code).toBe(status);
    expect(answer.head.toLowerCase()).toContain(`x-trace-id: ${meta.trace_id}`);
    expect(meta.query_time).toBeGreaterThanOrEqual(0);
    // The process has run longer than that, but the request has not.
    expect(meta.query_time).toBeLessThan(performance.now() / 1_000 / 2);
  });

  test(
    "an overloaded server reports the time of the request, not its own",
    { tags: ["exhaustive"] },
    async () => {
      const { url } = await startSmallApp(
        { read: { handle: () => ({ kind: "records", records: [] }) } },
        { limits: { overloadMilliseconds: 1 } },
      );
      for (;;) {
        const until = performance.now() + 50;
        while (performance.now() < until);
        const response = await fetch(`${url}/read`);
        const body = (await response.json()) as ErrorBody;
        if (response.status === 200) continue;
        expect(response.status).toBe(503);
        expect(response.headers.get("retry-after")).toBe("1");
        expect(body.meta.query_time).toBeLessThan(performance.now() / 1_000 / 2);
        return;
      }
    },
  );

  test("each is logged with its trace id", async () => {
    const lines: { trace_id?: string; status?: number; path?: string }[] = [];
    const { url } = await startSmallApp(
      {
        "read/{name}": {
          parameters: [{ name: "name", in: "path", required: true, schema: { type: "string" } }],
          handle: () => ({ kind: "records", records: [] }),
        },
      },
      { logLevel: "info", log: (line) => lines.push(JSON.parse(line) as object) },
    );
    const targets = [`/read/${"a".repeat(600)}`, "/%", "/nowhere", "/read/a%00"];
    for (const target of targets) await sendTarget(url, target);
    await sendRaw(url, "nonsense\r\n\r\n");
    expect(lines.map(({ path, status }) => [path, status])).toEqual([
      [targets[0], 400],
      ["/%", 400],
      ["/nowhere", 404],
      ["/read/a%00", 400],
      [undefined, 400],
    ]);
    expect(new Set(lines.map(({ trace_id }) => trace_id)).size).toBe(lines.length);
  });
});

/** Pieces of targets that parsers disagree about. */
const pieces = [
  "/",
  "//",
  "\\",
  "..",
  ".",
  "%2e%2e",
  "%2f",
  "%5c",
  "%00",
  "%",
  "%zz",
  "%ff",
  "%c0%ae",
  "file:///etc/passwd",
  "http://",
  "[",
  "{uuid}",
  ":uuid",
  "*",
  "?",
  "#",
  "&",
  "=",
  ";",
  "@",
  "é",
  "\u{1f600}",
  "\t",
  "a".repeat(600),
  "%61".repeat(300),
  "__proto__",
  "constructor",
];
const stems = ["/docs", "/docs/", "/files/", "/iocs/", "/_control/", `${report}/`, "/images/", "/"];

describe("odd targets", () => {
  test.each(["GET", "HEAD", "POST", "OPTIONS", "DELETE"])(
    "%s never causes a server error",
    async (method) => {
      const api = await start();
      const targets = stems.flatMap((stem) =>
        pieces.flatMap((piece) => [
          `${stem}${piece}`,
          `${stem}${piece}/${piece}?${piece}=${piece}`,
        ]),
      );
      const failed: string[] = [];
      for (let from = 0; from < targets.length; from += 50) {
        await Promise.all(
          targets.slice(from, from + 50).map(async (target) => {
            const { status } = await sendTarget(api.url, target, { method });
            if (status === 0 || status >= 500) failed.push(`${status} ${target}`);
          }),
        );
      }
      expect(failed).toEqual([]);
      expect((await api.request("GET", "/iocs/queries/platforms/v1")).status).toBe(200);
    },
  );

  test.each([
    ["no HTTP", "hello\r\n\r\n", 400],
    ["a header that never ends", `GET / HTTP/1.1\r\nhost: x\r\na: ${"b".repeat(200_000)}`, 431],
    ["a target that never ends", `GET /${"b".repeat(200_000)}`, 431],
    [
      "two lengths",
      "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n",
      400,
    ],
    [
      "an unknown expectation",
      "GET /nowhere HTTP/1.1\r\nhost: x\r\nexpect: miracles\r\nconnection: close\r\n\r\n",
      404,
    ],
  ])("%s gets an Envelope", async (_name, bytes, status) => {
    const api = await start();
    const answer = await sendRaw(api.url, bytes);
    expect(answer.status).toBe(status);
    expect((JSON.parse(answer.body) as ErrorBody).errors[0]?.code).toBe(status);
  });

  test("the longest documented filter is read in any encoding", async () => {
    const api = await start();
    const longest = `value:'${"€".repeat(8_192 - 8)}'`;
    expect(longest).toHaveLength(8_192);
    const answer = await api.request("GET", "/iocs/combined/indicator/v1", {
      query: { filter: longest },
    });
    expect(answer.status).toBe(200);
  });
});
