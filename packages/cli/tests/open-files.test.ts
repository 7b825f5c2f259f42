/**
 * @module-tag exhaustive
 * @module-tag nightly
 */
import { Agent, request } from "node:http";
import { connect, type Socket } from "node:net";
import { expect, test } from "vitest";
import { demoFolder } from "../src/testing/prepared-folder.ts";
import { serve, type Server } from "./support/server.ts";
import { limitedDescriptors } from "./support/storage.ts";
import { skipWithout } from "../../../testing/platform.ts";

skipWithout("ulimit");

const descriptors = 100;

/** Opens connections until the server has no descriptor left and closes one at once. */
async function takeAll({ greeting: { url } }: Server): Promise<readonly Socket[]> {
  const { hostname, port } = new URL(url);
  const sockets: Socket[] = [];
  for (let count = 0; count < 2 * descriptors; count += 1) {
    const socket = connect(Number(port), hostname);
    const closed = new Promise<boolean>((resolve) => {
      socket.once("close", () => resolve(true)).on("error", () => undefined);
      // The server answers what is no request, if it has accepted the connection.
      socket.once("data", () => resolve(false));
    });
    socket.write("GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n");
    if (await closed) return sockets;
    sockets.push(socket);
  }
  throw new Error("the server accepted every connection");
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** Sends an upload on the one connection of these tests. */
function upload({ greeting: { url, access_token } }: Server, content: string) {
  const body = [
    '--b\r\ncontent-disposition: form-data; name="dry_run"\r\n\r\ntrue\r\n',
    `--b\r\ncontent-disposition: form-data; name="file"; filename="a.yaml"\r\n\r\n${content}\r\n`,
    "--b--\r\n",
  ].join("");
  return new Promise<{ status: number; retryAfter: string | undefined }>((resolve, reject) => {
    const sent = request(`${url}/casemgmt/entities/templates/import/v1`, {
      agent,
      method: "POST",
      headers: {
        authorization: `Bearer ${access_token}`,
        "content-type": "multipart/form-data; boundary=b",
        "content-length": Buffer.byteLength(body),
      },
    });
    sent.once("error", (error: NodeJS.ErrnoException) => {
      // The server closes a connection for which it has no descriptor.
      if (error.code === "ECONNRESET") resolve({ status: 0, retryAfter: undefined });
      else reject(error);
    });
    sent.once("response", (response) => {
      response.resume().once("end", () => {
        const { statusCode: status = 0, headers } = response;
        resolve({ status, retryAfter: headers["retry-after"] });
      });
    });
    sent.end(body);
  });
}

const template = "format: 1\ntemplate:\n  name: A\n";

test("without a free descriptor: 503, and full service when there are some again", async () => {
  const server = await serve(["--no-jobs"], {
    ...(await demoFolder()),
    ...limitedDescriptors(descriptors),
  });
  expect(await upload(server, template)).toMatchObject({ status: 200 });
  const sockets = await takeAll(server);
  expect(await upload(server, template)).toEqual({ status: 503, retryAfter: "5" });
  // A large template also needs descriptors for a thread.
  const large = template + "# comment\n".repeat(20_000);
  const statuses = new Set<number>();
  for (let free = 0; free < sockets.length && !statuses.has(200); free += 1) {
    sockets[free]?.destroy();
    statuses.add((await upload(server, large)).status);
  }
  expect([...statuses].filter((status) => ![0, 503].includes(status))).toEqual([200]);
  for (const socket of sockets) socket.destroy();
  agent.destroy();
  expect((await server.stop()).exitCode).toBe(0);
});
