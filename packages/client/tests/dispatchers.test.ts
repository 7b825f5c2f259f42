/** Proxies, certificates of a private issuer, and HTTP/2, as the guide on retries and limits shows them. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createSecureServer } from "node:http2";
import { createServer as createTlsServer } from "node:https";
import { connect as connectSocket, type AddressInfo, type Server } from "node:net";
import { promisify } from "node:util";
import { Agent, ProxyAgent, type Dispatcher } from "undici";
import { expect, onTestFinished, test } from "vitest";
import { createClient } from "../src/index.ts";
import { newCertificate } from "./support/certificates.ts";
import { newFolder, startFileServer } from "./support/file-server.ts";
import { clientId, clientSecret, failure } from "./support/scripted-client.ts";

/** Without types, because those of Node.js come from another version of undici. */
const through = (dispatcher: Dispatcher): object => ({ dispatcher });

async function listen(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** Grants tokens, and answers everything else with an empty list. */
const answerTo = (url = ""): string =>
  JSON.stringify(url.startsWith("/oauth2/") ? { access_token: "token-1", expires_in: 1_799 } : []);

test("requests of a client go through the proxy of its fetch", async () => {
  const server = await startFileServer((_, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end("[]");
  });
  const connections: (string | undefined)[] = [];
  const proxy = createServer().on("connect", ({ url }, socket) => {
    connections.push(url);
    const { hostname, port } = new URL(`http://${url}`);
    const target = connectSocket(Number(port), hostname, () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
    });
    target.pipe(socket).pipe(target);
  });
  const dispatcher = new ProxyAgent(`http://127.0.0.1:${await listen(proxy)}`);
  const client = server.connect({
    fetch: (request) => fetch(request, through(dispatcher)),
  });
  expect((await client.ioc.listPlatforms()).data).toEqual([]);
  await dispatcher.close();
  expect(new Set(connections)).toEqual(new Set([server.host]));
});

test("a client uses HTTP/2 and a private issuer by its fetch", async () => {
  const { options } = await newCertificate({});
  const versions = new Set<string>();
  const server = createSecureServer({ ...options, allowHTTP1: true }, (request, response) => {
    versions.add(request.httpVersion);
    response.writeHead(200, { "content-type": "application/json" }).end(answerTo(request.url));
  });
  const baseUrl = `https://127.0.0.1:${await listen(server)}`;
  const dispatcher = new Agent({ allowH2: true, connect: { ca: options.cert } });
  const client = createClient({
    baseUrl,
    clientId,
    clientSecret,
    fetch: (request) => fetch(request, through(dispatcher)),
  });
  expect((await client.ioc.listPlatforms()).data).toEqual([]);
  expect(versions).toEqual(new Set(["2.0"]));
  await dispatcher.close();
  const plain = createClient({ baseUrl, clientId, clientSecret, retries: 0 });
  expect(String(await failure(plain.ioc.listPlatforms()))).toContain("set NODE_EXTRA_CA_CERTS");
});

test("a program accepts a private issuer by NODE_EXTRA_CA_CERTS", async () => {
  const { options } = await newCertificate({});
  const port = await listen(
    createTlsServer(options, ({ url }, response) => {
      response.writeHead(200, { "content-type": "application/json" }).end(answerTo(url));
    }),
  );
  const folder = newFolder();
  const file = folder.at("company.pem");
  writeFileSync(file, options.cert);
  const program = `
    import { createClient } from "@security-platform/client";
    const { data } = await createClient().ioc.listPlatforms();
    console.log(data.length);
  `;
  const words = ["--conditions=@security-platform/source", "--input-type=module", "-e", program];
  const { stdout } = await promisify(execFile)(process.execPath, words, {
    cwd: import.meta.dirname,
    env: {
      ...process.env,
      NODE_EXTRA_CA_CERTS: file,
      SECPLAT_URL: `https://127.0.0.1:${port}`,
      SECPLAT_CLIENT_ID: clientId,
      SECPLAT_CLIENT_SECRET: clientSecret,
    },
  });
  expect(stdout).toBe("0\n");
});
