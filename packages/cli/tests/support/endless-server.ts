import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A server with a list of ids that never ends. */
export async function endlessServer(): Promise<{ readonly environment: Record<string, string> }> {
  let page = 0;
  const server = createServer((request, response) => {
    response.setHeader("content-type", "application/json");
    if (request.url === "/oauth2/token") {
      response.statusCode = 201;
      response.end('{"access_token":"t","expires_in":1799,"token_type":"bearer"}');
    } else if (request.url === "/oauth2/revoke") {
      response.end('{"meta":{},"errors":[]}');
    } else {
      page += 1;
      response.setHeader("x-pagination-after", `${page}`);
      const ids = Array.from({ length: 2_000 }, (_, index) => `${page}-${index}`.padEnd(64, "x"));
      response.end(JSON.stringify(ids));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    environment: {
      SECPLAT_URL: `http://127.0.0.1:${port}`,
      SECPLAT_CLIENT_ID: "id",
      SECPLAT_CLIENT_SECRET: "secret",
    },
  };
}
