import { connect } from "node:net";
import type { Random } from "../../../packages/spec-gate/tests/fuzz/edits.ts";
import { mutateBytes } from "../mutate.ts";
import type { FuzzedServer } from "../server.ts";
import { answerProblem, type Outcome, type Target } from "../target.ts";

interface Bytes {
  /** Of one connection, in base64. `$TOKEN` stands for a valid token. */
  readonly bytes: string;
}

const list = "/iocs/queries/indicators/v1";
const json = '{"indicators":[]}';
const form = [
  "--b",
  'Content-Disposition: form-data; name="dry_run"',
  "",
  "true",
  "--b",
  'Content-Disposition: form-data; name="file"; filename="a.yaml"',
  "Content-Type: application/yaml",
  "",
  "format: 1",
  "--b--",
  "",
].join("\r\n");

const request = (line: string, headers: readonly string[], body = ""): Buffer =>
  Buffer.from(
    [line, "Host: localhost", "Authorization: Bearer $TOKEN", ...headers, "", body].join("\r\n"),
  );

const corpus: readonly Buffer[] = [
  request(`GET ${list}?limit=2&filter=type%3A%27domain%27 HTTP/1.1`, ["Accept: application/json"]),
  request(`GET ${list} HTTP/1.0`, []),
  request(`HEAD ${list} HTTP/1.1`, []),
  request(`OPTIONS ${list} HTTP/1.1`, [
    "Origin: https://a.example",
    "Access-Control-Request-Method: GET",
  ]),
  request(
    "POST /iocs/entities/indicators/v1 HTTP/1.1",
    ["Content-Type: application/json", `Content-Length: ${json.length}`, "Idempotency-Key: k"],
    json,
  ),
  request(
    "POST /iocs/entities/indicators/v1 HTTP/1.1",
    [
      "Content-Type: application/json; charset=utf-8",
      "Transfer-Encoding: chunked",
      "Expect: 100-continue",
      "Trailer: X-A",
    ],
    `5;a=b\r\n{"ind\r\nc\r\nicators":[]}\r\n0\r\nX-A: 1\r\n\r\n`,
  ),
  request(
    "POST /casemgmt/entities/templates/import/v1 HTTP/1.1",
    ["Content-Type: multipart/form-data; boundary=b", `Content-Length: ${form.length}`],
    form,
  ),
  request(
    "POST /oauth2/token HTTP/1.1",
    ["Content-Type: application/x-www-form-urlencoded", "Content-Length: 27"],
    "client_id=a&client_secret=b",
  ),
  request(`GET ${list} HTTP/1.1`, [
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Range: bytes=0-5,7-",
    "If-None-Match: *",
    "traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
  ]),
];

const words: readonly string[] = [
  "\r\n",
  "\n",
  "\r",
  "\r\n\r\n",
  " ",
  "\t",
  ":",
  ";",
  ",",
  "Content-Length: 3\r\n",
  "Content-Length: -1\r\n",
  "Content-Length: 99999999999999999999\r\n",
  "Transfer-Encoding: chunked\r\n",
  "Transfer-Encoding: gzip, chunked\r\n",
  "Content-Encoding: gzip\r\n",
  "Content-Type: application/json\r\n",
  "Host: \r\n",
  "Expect: 100-continue\r\n",
  "Connection: close, keep-alive\r\n",
  "ffffffffffffffff\r\n",
  "0\r\n\r\n",
  "--b\r\n",
  "--b--\r\n",
  "filename*=UTF-8''%ff\"",
  "boundary=",
  "GET * HTTP/1.1\r\n",
  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  "CONNECT a:1 HTTP/1.1\r\n",
  "http://a@b:99999/",
  "//",
  "?a[]=1&a=2",
];

/** Milliseconds from the end of the client's bytes to the end of the connection. */
const patience = 20_000;

/** Raw bytes: request lines, headers, framing of chunks and forms, and several requests in one connection. */
export const edge = (server: FuzzedServer): Target<Bytes> => ({
  name: "http",
  runsIn: "server",
  generate: (random: Random) => {
    const first = random.pick(corpus) ?? Buffer.alloc(0);
    const bytes =
      random.below(4) === 0 ? Buffer.concat([first, random.pick(corpus) ?? first]) : first;
    return { bytes: mutateBytes(random, bytes, words, corpus).toString("base64") };
  },
  send: async ({ bytes }): Promise<Outcome> => {
    const sent = Buffer.from(bytes, "base64")
      .toString("latin1")
      .replaceAll("$TOKEN", server.token());
    const { text, isClosed } = await exchange(server.url, Buffer.from(sent, "latin1"));
    if (!isClosed)
      return { label: "open", problem: "the connection stays open after the client's end" };
    const statuses = [...text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) =>
      Number(status),
    );
    for (const status of statuses) {
      const problem = answerProblem(status, text, sent);
      if (problem !== undefined) return { label: String(status), problem };
    }
    return { label: String(statuses.at(-1) ?? "closed") };
  },
});

function exchange(url: string, bytes: Buffer): Promise<{ text: string; isClosed: boolean }> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.end(bytes));
    const end = (isClosed: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ text: Buffer.concat(parts).toString("latin1"), isClosed });
    };
    const timer = setTimeout(() => end(false), patience);
    socket.on("data", (part) => parts.push(part));
    socket.on("error", () => end(true));
    socket.on("close", () => end(true));
  });
}
