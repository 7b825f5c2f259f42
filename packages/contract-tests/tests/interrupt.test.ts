/** @module-tag exhaustive */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished } from "vitest";
import { testWith } from "../../../testing/platform.ts";

const program = fileURLToPath(new URL("../src/bin.ts", import.meta.url));

/**
 * A target that grants tokens, holds every other request, and says when the first one comes. Once released,
 * it breaks those that it holds and all that follow.
 */
async function holdingTarget() {
  let holds = true;
  let reached: () => void = () => {};
  const firstRequest = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const server = createServer((request, response) => {
    if (request.url === "/oauth2/token") {
      response.writeHead(201, { "content-type": "application/json" });
      response.end(
        JSON.stringify({ access_token: "token", token_type: "bearer", expires_in: 1799 }),
      );
    } else if (holds) reached();
    else request.socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const release = (): void => {
    holds = false;
    server.closeAllConnections();
  };
  return { url: urlOf(server), firstRequest, release };
}

const urlOf = (server: Server): string =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

function start(url: string): { readonly child: ChildProcess; readonly output: () => string } {
  const child = spawn(
    process.execPath,
    [
      "--conditions=@security-platform/source",
      program,
      "--base-url",
      url,
      "--include",
      "indicator.get.v1",
    ],
    {
      env: { ...process.env, CONTRACT_TESTS_CLIENT_ID: "a", CONTRACT_TESTS_CLIENT_SECRET: "b" },
    },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (part: Buffer) => (text += part.toString()));
  }
  return { child, output: () => text };
}

testWith("signals")("Ctrl-C ends the run with a report and exit code 2", async () => {
  const { url, firstRequest, release } = await holdingTarget();
  const { child, output } = start(url);
  await firstRequest;
  child.kill("SIGINT");
  // What is under way ends, and no case begins any more.
  release();
  const [code] = (await once(child, "exit")) as [number | null];
  expect([code, output()]).toEqual([2, expect.stringContaining("ended early")]);
});

testWith("signals")("a second Ctrl-C ends it at once", async () => {
  const { url, firstRequest } = await holdingTarget();
  const { child } = start(url);
  await firstRequest;
  child.kill("SIGINT");
  const closed = once(child, "exit");
  const again = setInterval(() => child.kill("SIGINT"), 50);
  onTestFinished(() => clearInterval(again));
  expect(await closed).toEqual([null, "SIGINT"]);
});
