import { createServer, type AddressInfo, type Socket } from "node:net";
import { HttpOutgoing } from "../../../packages/server/src/outgoing/http-outgoing.ts";
import { listImages } from "../../../packages/server/src/domain/container/registries/list-images.ts";
import type { StoredRegistry } from "../../../packages/server/src/domain/container/registries/registries.ts";
import { mutateBytes } from "../mutate.ts";
import { judged, type Outcome, type Target } from "../target.ts";

interface Responses {
  /** What each connection in turn sends, in base64. `$HOST` stands for the URL of the server. */
  readonly responses: readonly string[];
}

const response = (status: string, headers: readonly string[], body = ""): Buffer =>
  Buffer.from(
    [
      `HTTP/1.1 ${status}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      "Connection: close",
      ...headers,
      "",
      body,
    ].join("\r\n"),
  );

const json = "Content-Type: application/json";
const digest = `sha256:${"a".repeat(64)}`;

/** Answers to `listImages`, in the order of its requests. */
const registryAnswers: readonly Buffer[] = [
  response("200 OK", [json], "{}"),
  response(
    "200 OK",
    [json, 'Link: </v2/_catalog?last=a&n=100>; rel="next"'],
    '{"repositories":["a","b/c"]}',
  ),
  response("200 OK", [json], '{"repositories":[]}'),
  response("200 OK", [json], '{"name":"a","tags":["1","latest"]}'),
  response("200 OK", [json, `Docker-Content-Digest: ${digest}`]),
  response("200 OK", [json], '{"schemaVersion":2,"config":{"digest":"x"},"layers":[]}'),
];

const otherAnswers: readonly Buffer[] = [
  response("401 Unauthorized", [
    'WWW-Authenticate: Bearer realm="$HOST/token",service="s",scope="a:b:c d:e:f"',
  ]),
  response("401 Unauthorized", ['WWW-Authenticate: Basic realm="a", Bearer realm=']),
  response("200 OK", [json], '{"token":"t","expires_in":300}'),
  response("404 Not Found", []),
  response("429 Too Many Requests", ["Retry-After: 1"]),
  response("302 Found", ["Location: $HOST/v2/"]),
  response("500 Internal Server Error", [], "no"),
  Buffer.from("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"),
];

const words: readonly string[] = [
  "\r\n",
  "\r\n\r\n",
  "HTTP/1.1 100 Continue\r\n\r\n",
  "HTTP/1.1 101 Switching Protocols\r\n\r\n",
  "Transfer-Encoding: chunked\r\n",
  "Content-Length: 9999999999\r\n",
  "Content-Encoding: gzip\r\n",
  "Location: //[::1]:1/\r\n",
  "Location: file:///etc/passwd\r\n",
  'Link: <http://a/>; rel="next"',
  'WWW-Authenticate: Bearer realm="http://[::1',
  '{"repositories":null}',
  '{"tags":[{}]}',
  '["',
  "null",
  '"../../x"',
  "200",
  "999",
  "-1",
];

/** Milliseconds. Many responses are incomplete; a complete one that is late is only another error. */
const patience = 100;

/** Errors of the network, and of parsers of Node.js, are plain errors with a code. */
const expected = ["Error", "RegistryError", "OutgoingRefusedError", "AbortError", "TimeoutError"];

/** Registries and receivers of webhooks, as a server that sends arbitrary bytes. */
class Peer {
  #responses: Buffer[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((socket) => {
    this.#sockets.add(socket);
    socket.on("close", () => this.#sockets.delete(socket));
    socket.on("error", () => undefined);
    socket.once("data", () => {
      const bytes = this.#responses.shift() ?? response("404 Not Found", []);
      socket.end(Buffer.from(bytes.toString("latin1").replaceAll("$HOST", this.url), "latin1"));
    });
  });
  readonly outgoing = new HttpOutgoing({
    allowedNetworks: ["127.0.0.0/8"],
    milliseconds: patience,
  });

  async start(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server.listen(0, "127.0.0.1", resolve);
    });
    this.#server.unref();
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async with(responses: readonly string[], work: () => unknown): Promise<Outcome> {
    this.#responses = responses.map((each) => Buffer.from(each, "base64"));
    const outcome = await judged(expected, work);
    for (const socket of this.#sockets) socket.destroy();
    return outcome;
  }
}

/** The answers of registries to the requests of a listing. */
export async function registryResponses(): Promise<Target<Responses>> {
  const peer = new Peer();
  await peer.start();
  return {
    name: "registries",
    runsIn: "own",
    generate: (random) => {
      const answers = [...registryAnswers];
      const at = random.below(answers.length);
      const others = [...registryAnswers, ...otherAnswers];
      if (random.below(3) === 0)
        answers.splice(at, 0, random.pick(otherAnswers) ?? Buffer.alloc(0));
      answers[at] = mutateBytes(random, answers[at] ?? Buffer.alloc(0), words, others);
      return { responses: answers.map((each) => each.toString("base64")) };
    },
    send: ({ responses }) => {
      const registry = { url: peer.url, type: "docker" } as unknown as StoredRegistry;
      return peer.with(responses, () => listImages(registry, peer.outgoing));
    },
  };
}

/** The answers of receivers of webhooks. */
export async function webhookResponses(): Promise<Target<Responses>> {
  const peer = new Peer();
  await peer.start();
  const corpus = [...registryAnswers, ...otherAnswers];
  return {
    name: "webhooks",
    runsIn: "own",
    generate: (random) => {
      const bytes = mutateBytes(random, random.pick(corpus) ?? Buffer.alloc(0), words, corpus);
      return { responses: [bytes.toString("base64")] };
    },
    send: ({ responses }) =>
      peer.with(responses, async () => {
        const request = { headers: { "content-type": "application/json" }, body: "{}" };
        const status = await peer.outgoing.post(peer.url, request);
        if (!Number.isInteger(status)) throw new TypeError(`the status is ${status}`);
      }),
  };
}
