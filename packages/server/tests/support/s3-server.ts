import { createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { Clock } from "../../src/foundation/clock.ts";
import { sha256 } from "./sha256.ts";

const region = "test-1";
const service = "s3";
/** Small, so that lists come in several pages. */
const pageSize = 3;

interface Stored {
  readonly content: Buffer;
  readonly modified: Date;
}

/** An object store with the S3 operations that the server uses. It verifies every request. */
export class S3Server {
  readonly accessKeyId = "AKTEST";
  readonly secretAccessKey = "s3-test-secret";
  readonly region = region;
  readonly objects = new Map<string, Stored>();
  /** Method and path of every request. */
  readonly requests: string[] = [];
  /** Number of requests to respond with 503 first. */
  busy = 0;
  /** Status of responses whose texts never end; null: no such responses. */
  endless: number | null = null;
  /** Supports range requests. */
  ranges = true;
  readonly #clock: Clock;
  readonly #server: Server;

  private constructor(clock: Clock) {
    this.#clock = clock;
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch((error: unknown) => {
        response.writeHead(500).end(String(error));
      });
    });
  }

  static async start(clock: Clock): Promise<S3Server> {
    const server = new S3Server(clock);
    await new Promise<void>((resolve) => {
      server.#server.listen(0, "127.0.0.1", resolve);
    });
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => {
      this.#server.close(resolve);
    });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const content = await buffer(request);
    const url = new URL(request.url ?? "", "http://s3.test");
    this.requests.push(`${request.method} ${url.pathname}`);
    if (this.endless !== null) {
      response.writeHead(this.endless);
      const send = (): void => {
        while (!response.destroyed && response.write("x".repeat(2 ** 16)));
      };
      response.on("drain", send);
      send();
      return;
    }
    if (this.busy > 0) {
      this.busy -= 1;
      refuse(response, 503, "SlowDown");
      return;
    }
    const problem = this.#signatureProblem(request, url) ?? contentProblem(request, url, content);
    if (problem !== null) refuse(response, 403, problem);
    else if (!url.pathname.startsWith("/bucket/")) refuse(response, 404, "NoSuchBucket");
    else if (url.searchParams.get("list-type") === "2") this.#list(response, url.searchParams);
    else this.#object(request, response, url, content);
  }

  #object(request: IncomingMessage, response: ServerResponse, url: URL, content: Buffer): void {
    const key = url.pathname.slice("/bucket/".length);
    if (request.method === "PUT") {
      this.objects.set(key, { content, modified: this.#clock.now() });
      response.writeHead(200).end();
      return;
    }
    if (request.method === "DELETE") {
      this.objects.delete(key);
      response.writeHead(204).end();
      return;
    }
    const stored = this.objects.get(key);
    if (stored === undefined) {
      refuse(response, 404, "NoSuchKey");
      return;
    }
    const [, first, last] =
      (this.ranges ? /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") : null) ?? [];
    const part =
      first === undefined
        ? stored.content
        : stored.content.subarray(Number(first), Number(last) + 1);
    const disposition = url.searchParams.get("response-content-disposition");
    response.writeHead(first === undefined ? 200 : 206, {
      "content-length": part.length,
      "content-type": url.searchParams.get("response-content-type") ?? "binary/octet-stream",
      ...(disposition === null ? {} : { "content-disposition": disposition }),
    });
    response.end(request.method === "HEAD" ? undefined : part);
  }

  #list(response: ServerResponse, query: URLSearchParams): void {
    const prefix = query.get("prefix") ?? "";
    const after = query.get("continuation-token") ?? "";
    const keys = [...this.objects.keys()]
      .filter((key) => key.startsWith(prefix) && key > after)
      .toSorted();
    const page = keys.slice(0, pageSize);
    const contents = page.map((key) => {
      const { content, modified } = this.objects.get(key) as Stored;
      return `<Contents><Key>${key}</Key><LastModified>${modified.toISOString()}</LastModified><Size>${content.length}</Size></Contents>`;
    });
    const more = keys.length > page.length;
    const next = more ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : "";
    response
      .writeHead(200, { "content-type": "application/xml" })
      .end(
        `<ListBucketResult><IsTruncated>${more}</IsTruncated>${next}${contents.join("")}</ListBucketResult>`,
      );
  }

  /** Checks signature version 4 in the header or query; null if it is valid. */
  #signatureProblem(request: IncomingMessage, url: URL): string | null {
    const { headers } = request;
    const presigned = url.searchParams.has("X-Amz-Signature");
    const given = presigned ? inQuery(url.searchParams) : inHeader(headers.authorization ?? "");
    const stamp = presigned ? url.searchParams.get("X-Amz-Date") : headers["x-amz-date"];
    if (given === null || typeof stamp !== "string") return "AccessDenied";
    const [key, day, ...scope] = given.credential.split("/");
    if (key !== this.accessKeyId) return "InvalidAccessKeyId";
    if (day !== stamp.slice(0, 8) || scope.join("/") !== `${region}/${service}/aws4_request`) {
      return "AuthorizationHeaderMalformed";
    }
    const seconds = presigned ? Number(url.searchParams.get("X-Amz-Expires")) : 15 * 60;
    const age = this.#clock.now().getTime() - instantOf(stamp);
    if (age < -15 * 60_000 || age >= seconds * 1_000) return "AccessDenied";
    const hash = presigned ? "UNSIGNED-PAYLOAD" : String(headers["x-amz-content-sha256"]);
    const canonical = [
      request.method,
      url.pathname,
      canonicalQuery(url.searchParams),
      ...given.signed.map((name) => `${name}:${String(headers[name]).trim()}`),
      "",
      given.signed.join(";"),
      hash,
    ].join("\n");
    const text = ["AWS4-HMAC-SHA256", stamp, [day, ...scope].join("/"), sha256(canonical)].join(
      "\n",
    );
    const signingKey = [day, ...scope].reduce<Buffer | string>(
      (secret, part) => createHmac("sha256", secret).update(part).digest(),
      `AWS4${this.secretAccessKey}`,
    );
    const expected = createHmac("sha256", signingKey).update(text).digest("hex");
    return expected === given.signature ? null : "SignatureDoesNotMatch";
  }
}

interface Given {
  readonly credential: string;
  readonly signed: readonly string[];
  readonly signature: string;
}

function inHeader(authorization: string): Given | null {
  const [, credential = "", signed = "", signature = ""] =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      authorization,
    ) ?? [];
  return signature === "" ? null : { credential, signed: signed.split(";"), signature };
}

function inQuery(query: URLSearchParams): Given | null {
  const value = (name: string) => query.get(name) ?? "";
  if (value("X-Amz-Algorithm") !== "AWS4-HMAC-SHA256") return null;
  return {
    credential: value("X-Amz-Credential"),
    signed: value("X-Amz-SignedHeaders").split(";"),
    signature: value("X-Amz-Signature"),
  };
}

const canonicalQuery = (query: URLSearchParams): string =>
  [...query]
    .filter(([name]) => name !== "X-Amz-Signature")
    .map((pair) => pair.map(encoded).join("="))
    .toSorted()
    .join("&");

const encoded = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );

function contentProblem(request: IncomingMessage, url: URL, content: Buffer): string | null {
  if (url.searchParams.has("X-Amz-Signature")) return null;
  const claimed = request.headers["x-amz-content-sha256"];
  if (claimed !== sha256(content)) return "XAmzContentSHA256Mismatch";
  const { "content-length": length } = request.headers;
  return request.method === "PUT" && length === undefined ? "MissingContentLength" : null;
}

const instantOf = (stamp: string): number =>
  Date.parse(stamp.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, "$1-$2-$3T$4:$5:$6Z"));

function refuse(response: ServerResponse, status: number, code: string): void {
  response
    .writeHead(status, { "content-type": "application/xml" })
    .end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`);
}
