import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { junitReport, runContractTests, textReport, type RunOptions } from "../src/index.ts";
import { runCommand } from "../src/command.ts";
import { widgetContract } from "./fixture/contract.ts";
import type { Defect } from "./fixture/defects.ts";
import { widgetRecipes } from "./fixture/recipes.ts";
import { bodyBytes, clients, WidgetServer } from "./fixture/widget-server.ts";

async function start(...defects: readonly Defect[]) {
  const server = new WidgetServer(...defects);
  const baseUrl = await server.start();
  onTestFinished(() => server.stop());
  const options: RunOptions = {
    baseUrl,
    credentials: clients.own,
    bodyBytes,
    allowWrites: true,
    contract: widgetContract,
    recipes: widgetRecipes,
  };
  return { server, options };
}

describe("a feature that the target does not offer", () => {
  test("is not a failure, and counts only if everything is required", async () => {
    const { options } = await start();
    const report = await runContractTests(options);
    expect(report).toMatchObject({ failed: 0, ok: true });
    const left = report.cases.filter(({ outcome }) => outcome === "not run");
    expect(left.length).toBe(report.notRun);
    expect(new Set(left.flatMap(({ needs }) => needs))).toEqual(
      new Set(["other tenant", "an expired token", "faults", "faults or a rate limit"]),
    );
    expect(textReport(report)).toMatch(/not run: \d+ cases, which need faults\n/);
    expect(report.coverage.missing).toContainEqual({
      operation: "widget.get",
      status: 500,
      reason: "needs faults",
    });
    expect((await runContractTests({ ...options, requireAll: true })).ok).toBe(false);
  });

  test("a client with one scope cannot show that other scopes are insufficient", async () => {
    const { options } = await start();
    const narrow: RunOptions["fetch"] = async (input, init) => {
      const body = init?.body instanceof Uint8Array ? Buffer.from(init.body).toString() : "";
      const isWhole = String(input).endsWith("/oauth2/token") && !body.includes("scope");
      const extra =
        isWhole && body.includes("client_id") ? { body: `${body}&scope=widgets:read` } : {};
      return fetch(input, { ...init, ...extra });
    };
    const report = await runContractTests({
      ...options,
      fetch: narrow,
      include: ["colour.list 403"],
    });
    expect(report.cases).toMatchObject([{ outcome: "not run", needs: ["second scope"] }]);
  });
});

test("a selection without cases is rejected before any request", async () => {
  const { options } = await start();
  await expect(
    runContractTests({ ...options, include: ["no such case"], fetch: never }),
  ).rejects.toThrow("no case has a name with no such case; --list prints the names");
});

const never: NonNullable<RunOptions["fetch"]> = () => {
  throw new Error("a request was sent");
};

describe("a rate limit of the target", () => {
  const limited = (times: number, seconds: string): NonNullable<RunOptions["fetch"]> => {
    let left = times;
    return async (input, init) => {
      const response = await fetch(input, init);
      if (!String(input).includes("/colours") || left === 0) return response;
      left -= 1;
      return new Response("{}", { status: 429, headers: { "retry-after": seconds } });
    };
  };

  test("is waited for", async () => {
    const { options } = await start();
    const waits: number[] = [];
    const report = await runContractTests({
      ...options,
      include: ["colour.list 200 answer"],
      fetch: limited(2, "7"),
      wait: async (milliseconds) => {
        waits.push(milliseconds);
      },
    });
    expect(report).toMatchObject({ passed: 1, ok: true, waitedSeconds: 14 });
    expect(waits).toEqual([7_000, 7_000]);
    expect(textReport(report)).toContain("14 s of it waiting for rate limits");
  });

  test("is a failure if it does not end", async () => {
    const { options } = await start();
    const include = ["colour.list 200 answer"];
    const always = { ...options, include, fetch: limited(Infinity, "7"), wait: async () => {} };
    expect(await runContractTests(always)).toMatchObject({ failed: 1, ok: false });
    const long = { ...options, include, fetch: limited(Infinity, "3600"), wait: async () => {} };
    expect(await runContractTests(long)).toMatchObject({ failed: 1, waitedSeconds: 0 });
  });

  test("can be tested if the server allows only a few requests per address", async () => {
    const { options } = await start();
    const small = await start();
    let requests = 0;
    const report = await runContractTests({
      ...options,
      include: [" 429 "],
      rateLimited: { baseUrl: small.options.baseUrl, credentials: clients.own },
      fetch: async (input, init) => {
        if (!String(input).startsWith(small.options.baseUrl)) return fetch(input, init);
        requests += 1;
        if (requests > 4) {
          const operationId = widgetContract.operations.find(
            ({ path, method }) =>
              String(input).includes(path) && method === init?.method?.toLowerCase(),
          )?.id;
          await small.server.force({ operationId: operationId ?? "", status: 429 });
        }
        return fetch(input, init);
      },
    });
    expect(report.cases.filter(({ outcome }) => outcome !== "passed")).toEqual([]);
    expect(report.passed).toBe(widgetContract.operations.length);
    expect(requests).toBeGreaterThan(4);
  });
});

describe("a failure", () => {
  test("is reported with a request that can be pasted, and without secrets", async () => {
    const { options } = await start("adds a field", "ignores unknown fields");
    const report = await runContractTests(options);
    const text = textReport(report);
    const failures = report.cases.flatMap((each) => each.failures);
    expect(failures.map(({ request }) => request).join("\n")).toMatch(
      /curl -i -X POST 'http:\/\/127\.0\.0\.1:\d+\/widgets\/entities\/v1' .*-H "authorization: Bearer \$TOKEN" .*--data-binary '\{/,
    );
    for (const form of [text, JSON.stringify(report), junitReport(report)]) {
      expect(form).not.toContain(clients.own.clientSecret);
      expect(form).not.toMatch(/Bearer [0-9a-f]{64}/);
      expect(form).not.toMatch(/"access_token\\*":\\*"[0-9a-f]{64}/);
    }
    expect(text).toMatch(
      /FAILED widget\.create 201 answer: a valid request\n {2}widget\.create 201, body\[0\]\.secret/,
    );
  });

  test("of the setup or of the connection fails the case, not the run", async () => {
    const { options } = await start();
    const report = await runContractTests({
      ...options,
      include: ["widget.get 200 answer"],
      fetch: async (input, init) => {
        if (init?.method === "POST" && String(input).includes("/widgets/")) {
          throw new TypeError("fetch failed", { cause: new Error("socket hang up") });
        }
        return fetch(input, init);
      },
    });
    expect(report.cases[0]?.failures).toMatchObject([
      { message: "POST /widgets/entities/v1: fetch failed: socket hang up" },
    ]);
  });

  test("of a request that only prepares a case is a problem of the run", async () => {
    const { options } = await start("adds a field");
    // The law "deleted" reads what the defect alters.
    const selection = { include: ["widget.delete 200"], exclude: [" deleted: "] };
    const report = await runContractTests({ ...options, ...selection });
    expect(report).toMatchObject({ failed: 0, ok: false });
    expect(report.problems).toEqual([
      expect.stringMatching(
        /^widget\.create 201, body\[\d\]\.secret: the document has no such field/,
      ),
    ]);
  });

  test("of the connection at the end is a problem of the run", async () => {
    const { options } = await start();
    const report = await runContractTests({
      ...options,
      include: ["widget.get 200"],
      fetch: async (input, init) => {
        if (init?.method === "DELETE") throw new TypeError("fetch failed");
        return fetch(input, init);
      },
    });
    expect(report.problems[0]).toMatch(/\d of widgets were left behind: DELETE .*: fetch failed/);
  });

  test("to delete the created records is a problem of the run", async () => {
    const { options, server } = await start("removes nothing");
    const report = await runContractTests({
      ...options,
      include: ["widget.get 200"],
      exclude: ["deleted:"],
      fetch: async (input, init) =>
        init?.method === "DELETE" ? new Response("no", { status: 500 }) : fetch(input, init),
    });
    expect(report).toMatchObject({ failed: 0, ok: false });
    expect(report.problems.at(-1)).toMatch(/\d of widgets were left behind: 500 no/);
    expect(server.count).toBeGreaterThan(0);
  });
});

test("a cancelled run deletes what it created, and reports what it did not run", async () => {
  const { options, server } = await start();
  const ending = new AbortController();
  let most = 0;
  const report = await runContractTests({
    ...options,
    signal: ending.signal,
    onProgress: ({ done }) => {
      most = Math.max(most, server.count);
      if (done === 60) ending.abort();
    },
  });
  const { passed, notRun, interrupted } = report;
  expect(passed).toBeGreaterThan(40);
  expect(notRun).toBeGreaterThan(report.cases.length - 80);
  expect(interrupted).toBe(true);
  expect(report.cases.at(-1)).toMatchObject({ outcome: "not run", needs: ["more time"] });
  expect(most).toBeGreaterThan(0);
  expect(server.count).toBe(0);
});

test("rejected credentials end the run", async () => {
  const { options } = await start();
  const credentials = { clientId: "nobody", clientSecret: "nothing" };
  await expect(runContractTests({ ...options, credentials })).rejects.toThrow(
    "no token for client nobody: 401 no such client",
  );
});

/** A file with ids of operations. */
function exceptFile(...ids: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "contract-tests-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "except.txt"), `${ids.join("\n")}\n`);
  return `--except-file=${join(folder, "except.txt")}`;
}

describe("operations that are left out", () => {
  test("have no case, are counted, and are not reported as missing", async () => {
    const { options } = await start();
    const report = await runContractTests({ ...options, except: ["colour.list"] });
    expect(report).toMatchObject({ failed: 0, ok: true, leftOut: 1 });
    expect(report.coverage.operations).toBe(widgetContract.operations.length - 1);
    expect(report.cases.some(({ operation }) => operation === "colour.list")).toBe(false);
    expect(textReport(report)).toContain("\n1 operations left out\n");
  });

  test("must exist in the document", async () => {
    const { options } = await start();
    await expect(runContractTests({ ...options, except: ["colour.paint"] })).rejects.toThrow(
      "cannot leave out what the document does not have: colour.paint",
    );
  });
});

describe("the command", () => {
  const capture = (environment: Readonly<Record<string, string>> = {}) => {
    const written = { out: "", err: "" };
    return {
      written,
      environment,
      stdout: { write: (text: string) => (written.out += text) },
      stderr: { write: (text: string) => (written.err += text) },
    };
  };

  test("prints help and the names of the cases", async () => {
    const context = capture();
    expect(await runCommand(["--help"], context)).toBe(0);
    expect(context.written.out).toContain("Usage: contract-tests --base-url");
    expect(
      await runCommand(["--list", "--include", "/indicator.search.v1 \\d+ paging/"], context),
    ).toBe(0);
    expect(context.written.out).toContain("paging: pages by cursor show each record once\n");
  });

  test.each([
    [["--base-uri", "x"], "Unknown option '--base-uri'"],
    [[], "--base-url is required"],
    [
      ["--base-url", "localhost"],
      "--base-url: expected a URL such as http://127.0.0.1:8080, got localhost",
    ],
    [["--base-url", "http://h"], "--client-id, or CONTRACT_TESTS_CLIENT_ID, is required"],
    [
      ["--base-url", "http://h", "--client-id", "a"],
      "--client-secret, or CONTRACT_TESTS_CLIENT_SECRET, is required",
    ],
    [["--list", "--include", "/(/"], "--include: Invalid regular expression"],
    [["--list", "--concurrency", "0"], "--concurrency: expected a whole number from 1 on, got 0"],
    [["--list", "--except-file", "/nowhere.txt"], "--except-file: ENOENT"],
    [["--list", "--known-records", "/nowhere.json"], "--known-records: ENOENT"],
  ])("rejects %j", async (words, message) => {
    const context = capture();
    expect(await runCommand(words, context)).toBe(2);
    expect(context.written.err).toContain(`contract-tests: ${message}`);
    expect(context.written.err).toContain("see --help");
  });

  test("names operations that cannot be left out", async () => {
    const context = capture();
    expect(await runCommand(["--list", exceptFile("colour.paint")], context)).toBe(2);
    expect(context.written.err).toContain("the document does not have: colour.paint");
  });

  test("explains why a target cannot be reached", async () => {
    const context = capture({ CONTRACT_TESTS_CLIENT_SECRET: "s" });
    const words = ["--base-url", "http://127.0.0.1:1", "--client-id", "a"];
    expect(await runCommand(words, context)).toBe(2);
    expect(context.written.err).toMatch(
      /^contract-tests: POST \/oauth2\/token: .*(nothing listens at this host and port|bad port)/,
    );
  });

  test("exits with 1 for failures, and writes the reports", async () => {
    const { options } = await start();
    const folder = mkdtempSync(join(tmpdir(), "contract-tests-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const [json, junit] = [join(folder, "report.json"), join(folder, "report.xml")];
    const context = capture();
    const code = await runCommand(
      [
        `--base-url=${options.baseUrl}`,
        `--client-id=${clients.own.clientId}`,
        `--client-secret=${clients.own.clientSecret}`,
        "--include=platform.query.v1 200",
        `--json=${json}`,
        `--junit=${junit}`,
      ],
      context,
    );
    expect(code).toBe(1);
    expect(context.written.out).toContain("FAILED platform.query.v1 200 answer: a valid request");
    expect(JSON.parse(readFileSync(json, "utf8"))).toMatchObject({ ok: false });
    const xml = readFileSync(junit, "utf8");
    expect(xml).toContain('<testsuite name="platform.query.v1"');
    expect(xml.match(/<testcase /g)?.length).toBe(context.written.out.match(/^FAILED/gm)?.length);
  });
});
