import type { Conformance } from "../conformance/conformance.ts";
import { findingKey, type Finding } from "../conformance/finding.ts";
import type { Fetch } from "../conformance/checked-fetch.ts";
import { envelopeMediaType, type Operation } from "../contract.ts";
import {
  encodeRequest,
  mediaTypeOf,
  type HttpRequest,
  type RequestParts,
} from "../requests/request.ts";
import { parseBody, type Answer } from "./answer.ts";
import {
  basicHeader,
  ownAccess,
  type Access,
  type Credentials,
  type TenantName,
} from "./credentials.ts";
import { sendLargeBody } from "./large-body.ts";
import { Redactor } from "./redactor.ts";
import { TokenSource } from "./token-source.ts";

export interface TargetOptions {
  /** Scheme, host, port and where need be a base path. */
  readonly baseUrl: string;
  readonly credentials: Readonly<Partial<Record<TenantName, Credentials>>>;
  readonly conformance: Conformance;
  readonly fetch: Fetch;
  /** Waits that many milliseconds; for a target that limits the rate of requests. */
  readonly wait: (milliseconds: number) => Promise<void>;
  readonly timeoutMilliseconds: number;
}

export interface SendOptions {
  readonly access: Access;
  /** A media type other than JSON. */
  readonly accept?: string;
  /** A 429 is what is wanted, so it is not waited out. */
  readonly limited?: boolean;
  /** No case takes the answer: what it has against the document is kept in `asides`. */
  readonly aside?: boolean;
}

/** How often and how long a rate limit of the target is waited out. */
const patience = { times: 5, seconds: 90 };

/** The service under test: sends requests, and checks every answer against the document. */
export class Target {
  readonly baseUrl: string;
  readonly redactor: Redactor;
  readonly #options: TargetOptions;
  readonly #tokens: Readonly<Partial<Record<TenantName, TokenSource>>>;
  /** Statuses that were answered, by operation id. */
  readonly seen: Map<string, Set<number>>;
  /** What answers beside the cases have against the document: those that set up and clean up. */
  readonly asides = new Map<string, Finding>();
  /** Seconds spent waiting for rate limits. */
  waited = 0;

  /** A target beside another shares what that one has noted. */
  constructor(options: TargetOptions, beside?: Target) {
    this.#options = options;
    this.redactor = beside?.redactor ?? new Redactor();
    this.seen = beside?.seen ?? new Map();
    this.baseUrl = options.baseUrl.replace(/\/+$/, "");
    const sources = Object.entries(options.credentials).map(([tenant, credentials]) => {
      this.redactor.hide(credentials.clientSecret, "$CLIENT_SECRET");
      this.redactor.hide(encodeURIComponent(credentials.clientSecret), "$CLIENT_SECRET");
      this.redactor.hide(basicHeader(credentials), "Basic $CREDENTIALS");
      return [tenant, new TokenSource(this, credentials)] as const;
    });
    this.#tokens = Object.fromEntries(sources);
  }

  get contract() {
    return this.#options.conformance.contract;
  }

  get conformance(): Conformance {
    return this.#options.conformance;
  }

  has(tenant: TenantName): boolean {
    return this.#tokens[tenant] !== undefined;
  }

  /** The scopes that the tenant's client has. */
  async scopes(tenant: TenantName): Promise<readonly string[]> {
    return (await this.#source(tenant).get()).scopes;
  }

  /** The token that the tenant's requests carry. */
  async token(tenant: TenantName): Promise<string> {
    return (await this.#source(tenant).get()).token;
  }

  /** A token that nothing else uses. */
  async newToken(tenant: TenantName): Promise<string> {
    return (await this.#source(tenant).ask()).token;
  }

  async send(operation: Operation, parts: RequestParts, options: SendOptions): Promise<Answer> {
    const request = await this.#request(operation, parts, options);
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.#exchange(operation, request);
      const seconds = Number(answer.headers["retry-after"] ?? Number.NaN);
      if (options.aside === true) {
        for (const finding of answer.findings) this.asides.set(findingKey(finding), finding);
      }
      const worthWaiting = answer.status === 429 && seconds <= patience.seconds;
      if (options.limited === true || !worthWaiting || attempt >= patience.times) return answer;
      this.waited += seconds;
      await this.#options.wait(seconds * 1_000);
    }
  }

  /** Sends a body of that many bytes, or as much of it as the target takes. */
  async sendLarge(operation: Operation, parts: RequestParts, bytes: number): Promise<Answer> {
    const encoded = await this.#request(operation, parts, { access: ownAccess });
    const mediaType = mediaTypeOf(operation) ?? "application/json";
    const request = { ...encoded, headers: { ...encoded.headers, "content-type": mediaType } };
    const { timeoutMilliseconds } = this.#options;
    const received = await sendLargeBody(this.baseUrl, request, bytes, timeoutMilliseconds);
    return this.#receive(operation, request, received);
  }

  async #request(
    operation: Operation,
    parts: RequestParts,
    { access, accept = "application/json" }: SendOptions,
  ): Promise<HttpRequest> {
    const authorization = await this.#authorization(operation, access);
    const encoded = encodeRequest(operation, parts);
    return {
      ...encoded,
      headers: {
        accept,
        ...(authorization === undefined ? {} : { authorization }),
        ...encoded.headers,
      },
    };
  }

  #receive(
    operation: Operation,
    request: HttpRequest,
    received: Pick<Answer, "status" | "headers" | "text">,
  ): Answer {
    const documented = this.contract.operations.includes(operation);
    const findings = this.#options.conformance.check({
      ...(documented ? { operation } : { method: request.method, url: request.url }),
      status: received.status,
      headers: received.headers,
      body: received.text,
      envelope: request.headers["accept"] === envelopeMediaType,
    });
    if (documented) this.#see(operation, received.status);
    const json = parseBody(received.text);
    this.#hideToken(json);
    return { operation, request, ...received, json, findings };
  }

  #hideToken(json: unknown): void {
    const { access_token } = (json ?? {}) as { access_token?: unknown };
    if (typeof access_token === "string") this.redactor.hide(access_token, "$TOKEN");
  }

  async #exchange(operation: Operation, request: HttpRequest): Promise<Answer> {
    const response = await this.#options.fetch(this.baseUrl + request.url, {
      method: request.method,
      headers: request.headers,
      redirect: "manual",
      signal: AbortSignal.timeout(this.#options.timeoutMilliseconds),
      ...(request.body === undefined ? {} : { body: Buffer.from(request.body) }),
    });
    return this.#receive(operation, request, {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      text: await response.text(),
    });
  }

  #see(operation: Operation, status: number): void {
    const statuses = this.seen.get(operation.id) ?? new Set();
    this.seen.set(operation.id, statuses.add(status));
  }

  async #authorization(operation: Operation, access: Access): Promise<string | undefined> {
    switch (access.kind) {
      case "none":
        return undefined;
      case "header":
        return access.value;
      case "tenant":
        return operation.scope === null
          ? basicHeader(this.#source(access.tenant).credentials)
          : `Bearer ${(await this.#source(access.tenant).get(access.scopes)).token}`;
    }
  }

  #source(tenant: TenantName): TokenSource {
    const source = this.#tokens[tenant];
    if (source === undefined) throw new Error(`no credentials of the ${tenant} tenant were given`);
    return source;
  }
}
