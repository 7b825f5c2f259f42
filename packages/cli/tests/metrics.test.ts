/** @module-tag exhaustive */
import { connect } from "node:net";
import { expect, test } from "vitest";
import { demoFolder } from "../src/testing/prepared-folder.ts";
import { serve, type Greeting } from "./support/server.ts";
import { start } from "./support/process.ts";

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
