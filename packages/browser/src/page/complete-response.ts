const decoder = new TextDecoder();

type BodyMember =
  "body" | "bodyUsed" | "text" | "json" | "arrayBuffer" | "blob" | "formData" | "bytes" | "clone";

/** `Response` with other types: its members are properties there, which a class cannot replace by methods. */
const Head = Response as unknown as new (
  body: null,
  init: ResponseInit,
) => Omit<Response, BodyMember>;

/**
 * A response whose bytes are here already. Its text is decoded directly: the streams of a browser copy it twice, which
 * takes several times as long. The browser itself sees no body in it, such as in a cache.
 */
export class CompleteResponse extends Head implements Response {
  readonly #body: ArrayBuffer;
  readonly #init: ResponseInit;
  #streamed: Response | null = null;
  #isDecoded = false;

  constructor(body: ArrayBuffer, init: ResponseInit) {
    super(null, init);
    this.#body = body;
    this.#init = init;
  }

  /** The same response with a body of the browser, for everything but the text. */
  get #whole(): Response {
    if (this.#streamed === null) {
      this.#streamed = new Response(this.#body, this.#init);
      // It fails in the same way as a response of the browser that is read again.
      if (this.#isDecoded) void this.#streamed.arrayBuffer();
    }
    return this.#streamed;
  }

  get body(): Response["body"] {
    return this.#whole.body;
  }

  get bodyUsed(): boolean {
    return this.#isDecoded || this.#streamed?.bodyUsed === true;
  }

  async text(): Promise<string> {
    if (this.#isDecoded || this.#streamed !== null) return this.#whole.text();
    this.#isDecoded = true;
    return decoder.decode(this.#body);
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return this.#whole.arrayBuffer();
  }

  async blob(): ReturnType<Response["blob"]> {
    return this.#whole.blob();
  }

  async formData(): ReturnType<Response["formData"]> {
    return this.#whole.formData();
  }

  async bytes(): ReturnType<Response["bytes"]> {
    return this.#whole.bytes();
  }

  clone(): Response {
    return this.#whole.clone();
  }
}
