/** @module-tag exhaustive */
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { skipWithout } from "../../../testing/platform.ts";
import { demoFolder } from "../src/testing/prepared-folder.ts";
import { serve, type Greeting } from "./support/server.ts";
import { start } from "./support/process.ts";

const nightly = { tags: ["nightly"] };

interface Measured extends Greeting {
  readonly metrics_url: string;
}

test.each([1, 2])("a server with %i workers has one page of metrics", async (workers) => {
  const words = ["--metrics-port", "0", "--workers", String(workers)];
  const server = await serve(words, await demoFolder());
  const { metrics_url: metricsUrl, url } = server.greeting as Measured;
  expect(new URL(metricsUrl).hostname).toBe("127.0.0.1");
  // Each has a connection of its own, so that both workers get some.
  for (let count = 0; count < 4; count += 1) {
    await fetch(`${url}/healthz`, { headers: { connection: "close" } });
  }
  const text = await (await fetch(metricsUrl)).text();
  expect(text).toContain('secplat_http_requests_total{operation="other",status="2xx"} 4\n');
  expect(text).toMatch(/^secplat_build_info\{version="\d.*"\} 1$/m);
  expect((await fetch(`${url}/metrics`)).status).toBe(404);
  expect(await server.stop()).toMatchObject({ stderr: "" });
  const { port } = new URL(metricsUrl);
  const refused = await new Promise((resolve) => {
    connect(Number(port), "127.0.0.1")
      .once("error", () => resolve(true))
      .once("connect", () => resolve(false));
  });
  expect(refused).toBe(true);
});

/** The value of a metric without labels, or of all its series together. */
async function total(metricsUrl: string, name: string): Promise<number> {
  const text = await (await fetch(metricsUrl)).text();
  const values = [...text.matchAll(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, "gm"))];
  return values.reduce((sum, [, value]) => sum + Number(value), 0);
}

const requests = "secplat_http_requests_total";
const reporting = "secplat_workers_reporting";

describe("with workers that end or are silent", () => {
  skipWithout("signals");

  /** A server with two workers, both of which have answered requests: 8 in all. */
  async function served() {
    const words = ["--metrics-port=0", "--workers=2", "--log-level=info"];
    const server = await serve(words, await demoFolder());
    const { metrics_url: metricsUrl, url } = server.greeting as Measured;
    const ask = async (count: number): Promise<void> => {
      for (let each = 0; each < count; each += 1) {
        await fetch(`${url}/healthz`, { headers: { connection: "close" } });
      }
    };
    await ask(8);
    expect(await total(metricsUrl, requests)).toBe(8);
    expect(await total(metricsUrl, reporting)).toBe(2);
    const ready = /"process_id":(\d+).*a worker is ready/g;
    const [worker] = [...server.output.stderr.matchAll(ready)].map(([, id]) => Number(id));
    if (worker === undefined) throw new Error(`no worker in ${server.output.stderr}`);
    return { server, metricsUrl, ask, worker };
  }

  for (const [signal, tags] of [
    ["SIGKILL", []],
    ["SIGTERM", ["nightly"]],
  ] as const) {
    test(
      `requests of a worker that ends by ${signal} stay in the sum`,
      { tags: [...tags] },
      async () => {
        const { server, metricsUrl, ask, worker } = await served();
        process.kill(worker, signal);
        await server.until("stderr", /(?:a worker is ready[^]*){3}/);
        expect(await total(metricsUrl, requests)).toBe(8);
        await ask(4);
        expect(await total(metricsUrl, requests)).toBe(12);
        expect(await total(metricsUrl, "secplat_workers")).toBe(2);
        expect((await server.stop()).exitCode).toBe(0);
      },
    );
  }

  test("requests after the last scrape count if the worker stops in order", nightly, async () => {
    const { server, metricsUrl, ask, worker } = await served();
    await ask(4);
    process.kill(worker, "SIGTERM");
    await server.until("stderr", /(?:a worker is ready[^]*){3}/);
    expect(await total(metricsUrl, requests)).toBe(12);
  });

  test(
    "a stopped worker is missing among those that report, and its requests stay in the sum",
    nightly,
    async () => {
      const { server, metricsUrl, worker } = await served();
      process.kill(worker, "SIGSTOP");
      expect(await total(metricsUrl, requests)).toBe(8);
      expect(await total(metricsUrl, reporting)).toBe(1);
      process.kill(worker, "SIGCONT");
      await expect.poll(() => total(metricsUrl, reporting)).toBe(2);
      expect(await total(metricsUrl, requests)).toBe(8);
      expect((await server.stop()).exitCode).toBe(0);
    },
  );
});

test("a port that is in use ends the start with a plain message", async () => {
  const folder = await demoFolder();
  const first = await serve(["--metrics-port", "0"], folder);
  const { port } = new URL((first.greeting as Measured).metrics_url);
  const second = start(
    ["serve", "--port", "0", "--metrics-port", port, "--no-demo"],
    await demoFolder(),
  );
  expect(await second.ended).toMatchObject({
    exitCode: 1,
    stderr: `secplat: port ${port} on 127.0.0.1 is in use; choose another with --metrics-port, or 0 for any\n`,
  });
});
