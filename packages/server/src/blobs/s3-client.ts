import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { AwsV4Signer } from "aws4fetch";
import type { Clock } from "../foundation/clock.ts";
import { BlobStoreError } from "./errors.ts";
import { listedObjects, type S3Object } from "./s3-listing.ts";

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** The location of blobs in an S3-compatible store. */
export interface S3Location {
  /** URL of the bucket, without a trailing slash. */
  readonly address: string;
  readonly region: string;
  /** Prefix of every key: empty, or with a trailing slash. */
  readonly prefix: string;
  readonly credentials: S3Credentials;
  /** Dates the signatures. A store refuses signatures whose time differs much from its own. */
  readonly clock: Clock;
}

interface S3Request {
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly sha256?: string;
  /** Called for every attempt. */
  readonly content?: () => Readable;
}

const attempts = 4;
const firstPause = 100;
/** Maximum size of a text response in bytes. A page of 1,000 objects with the longest keys is smaller. */
const largestText = 16 * 2 ** 20;
const emptyHash = createHash("sha256").digest("hex");

/** The requests to an S3-compatible store that blobs need. Uses signature version 4. */
export class S3Client {
  readonly #location: S3Location;

  constructor(location: S3Location) {
    this.#location = location;
  }

  /**
   * Returns a response with success or 404. Retries while the store is busy or unreachable. Then throws
   * `BlobStoreError` with a message that contains no secret.
   */
  async request(method: string, key: string, request: S3Request = {}): Promise<Response> {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.#try(method, key, request).catch((error: unknown) => error);
      if (answer instanceof Response && (answer.ok || answer.status === 404)) {
        // A body that nobody reads holds its connection.
        if (method !== "GET") await answer.body?.cancel();
        return answer;
      }
      const busy = !(answer instanceof Response) || answer.status >= 500 || answer.status === 429;
      if (!busy || attempt === attempts) throw await this.#failure(method, answer);
      if (answer instanceof Response) await answer.body?.cancel();
      await setTimeout(firstPause * 2 ** attempt);
    }
  }

  /** Objects whose keys begin with `prefix`, in key order. */
  async *list(prefix: string): AsyncGenerator<S3Object> {
    let token: string | undefined;
    do {
      const response = await this.request("GET", "", {
        query: {
          "list-type": "2",
          prefix,
          ...(token === undefined ? {} : { "continuation-token": token }),
        },
      });
      if (response.status === 404) {
        await response.body?.cancel();
        throw new BlobStoreError("the bucket does not exist");
      }
      const { objects, next } = listedObjects(await textOf(response));
      yield* objects;
      token = next;
    } while (token !== undefined);
  }

  /** A pre-signed URL for GET that is valid for `seconds`. */
  async presign(
    key: string,
    from: Date,
    seconds: number,
    query: Readonly<Record<string, string>>,
  ): Promise<string> {
    const url = this.#url(key, { ...query, "X-Amz-Expires": String(seconds) });
    const signer = this.#signer("GET", url, from, {}, true);
    return (await signer.sign()).url.href;
  }

  async #try(method: string, key: string, request: S3Request): Promise<Response> {
    const { headers = {}, query = {}, sha256 = emptyHash, content } = request;
    const signer = this.#signer(
      method,
      this.#url(key, query),
      this.#location.clock.now(),
      { ...headers, "x-amz-content-sha256": sha256 },
      false,
    );
    const signed = await signer.sign();
    const source = content?.();
    const init = {
      method,
      headers: signed.headers,
      redirect: "manual",
      ...(source === undefined ? {} : { body: Readable.toWeb(source), duplex: "half" }),
    };
    try {
      // With the DOM lib in scope, `Response.body` is not a Node.js stream.
      return await fetch(signed.url, init as unknown as RequestInit);
    } finally {
      // A store may refuse a request before it has read the body.
      source?.destroy();
    }
  }

  #url(key: string, query: Readonly<Record<string, string>>): string {
    const parameters = new URLSearchParams(query).toString();
    return `${this.#location.address}/${key}${parameters === "" ? "" : `?${parameters}`}`;
  }

  #signer(
    method: string,
    url: string,
    at: Date,
    headers: Record<string, string>,
    signQuery: boolean,
  ): AwsV4Signer {
    const { credentials, region } = this.#location;
    return new AwsV4Signer({
      ...credentials,
      region,
      service: "s3",
      method,
      url,
      headers,
      signQuery,
      datetime: at.toISOString().replaceAll(/[:-]|\.\d{3}/g, ""),
    });
  }

  async #failure(method: string, answer: unknown): Promise<BlobStoreError> {
    if (!(answer instanceof Response)) {
      const { host } = new URL(this.#location.address);
      return new BlobStoreError(`the object store at ${host} does not respond`, { cause: answer });
    }
    const code = /<Code>([A-Za-z]+)<\/Code>/.exec(await textOf(answer).catch(() => ""))?.[1];
    const reason = code === undefined ? "" : `, ${code}`;
    return new BlobStoreError(
      `the object store responded to ${method} with ${answer.status}${reason}`,
    );
  }
}

/** The body as text. Throws `BlobStoreError` if it is too large. */
async function textOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  // Leaving the loop cancels the body.
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > largestText) {
      throw new BlobStoreError(
        `the object store sent a text of more than ${largestText} bytes; check its URL`,
      );
    }
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
