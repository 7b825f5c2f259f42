import type { Conformance } from "../conformance/conformance.ts";
import { findingKey, type Finding } from "../conformance/finding.ts";
import { envelopeMediaType, isSuccess, type Operation } from "../contract.ts";
import {
  blanksFor,
  contentTypeOf,
  encodeRequest,
  mediaTypeOf,
  type HttpRequest,
  type RequestParts,
} from "../requests/request.ts";
import { CaseSkipped } from "../failure.ts";
import { parseBody, saysNotImplemented, type Answer } from "./answer.ts";
import { contentOf } from "./content.ts";
import { connectionError } from "./connection-error.ts";
import type { Received, Send } from "./http.ts";
import {
  basicHeader,
  ownAccess,
  type Access,
  type Credentials,
  type CredentialsName,
  type TenantName,
} from "./credentials.ts";
import { sendLargeBody } from "./large-body.ts";
import { Redactor } from "./redactor.ts";
import { SentPlaces } from "./sent-places.ts";
import { TokenSource, type TokenPrefix } from "./token-source.ts";

export interface TargetOptions {
  /** Scheme, host, port and an optional base path. */
  readonly baseUrl: string;
  readonly credentials: Readonly<Partial<Record<CredentialsName, Credentials>>>;
  readonly conformance: Conformance;
  readonly send: Send;
  /** Waits this many milliseconds; used for rate limits. */
  readonly wait: (milliseconds: number) => Promise<void>;
  readonly timeoutMilliseconds: number;
  /** Maximum total seconds to wait for rate limits. */
  readonly waitSeconds: number;
  /** Whether undocumented response headers are failures, not only listed in the report. */
  readonly strictHeaders: boolean;
}

export interface SendOptions {
  readonly access: Access;
  /** Default: the media types of the operation's success, and JSON for errors. */
  readonly accept?: string;
  /** The case expects 429 or 503, so do not wait. */
  readonly limited?: boolean;
  /** Whether no case checks the response. Its violations are collected in `asides`. */
  readonly aside?: boolean;
}

const prefixes: Readonly<Record<CredentialsName, TokenPrefix>> = {
  own: "",
  other: "OTHER_",
  limited: "LIMITED_",
};

/** Maximum number and total duration of waits of one request for a rate limit. */
const patience = { times: 5, seconds: 90 };

/** The server under test: sends requests, and checks every response against the document. */
export class Target {
  readonly baseUrl: string;
  readonly redactor: Redactor;
  readonly #options: TargetOptions;
  readonly #tokens: Readonly<Partial<Record<CredentialsName, TokenSource>>>;
  /** Received statuses, by operation id. */
  readonly seen: Map<string, Set<number>>;
  /** Violations in responses to set-up and clean-up requests. */
  readonly asides = new Map<string, Finding>();
  /** Response headers that the document does not have, with the number of responses. */
  readonly extraHeaders: Map<string, number>;
  /** Parameters and members that were sent. */
  readonly sent: SentPlaces;
  /** Seconds spent waiting for rate limits. */
  waited = 0;

  /** A second target shares the recorded responses of the first. */
  constructor(options: TargetOptions, beside?: Target) {
    this.#options = options;
    this.redactor = beside?.redactor ?? new Redactor();
    this.seen = beside?.seen ?? new Map();
    this.sent = beside?.sent ?? new SentPlaces();
    this.extraHeaders = beside?.extraHeaders ?? new Map();
    this.baseUrl = options.baseUrl.replace(/(?<!\/)\/+$/, "");
    const sources = Object.entries(options.credentials).map(([tenant, credentials]) => {
      const prefix = prefixes[tenant as CredentialsName];
      this.redactor.hide(credentials.clientSecret, `$${prefix}CLIENT_SECRET`);
      this.redactor.hide(encodeURIComponent(credentials.clientSecret), `$${prefix}CLIENT_SECRET`);
      this.redactor.hide(basicHeader(credentials), `Basic $${prefix}CREDENTIALS`);
      return [tenant, new TokenSource(this, credentials, prefix)] as const;
    });
    this.#tokens = Object.fromEntries(sources);
  }

  get contract() {
    return this.#options.conformance.contract;
  }

  get conformance(): Conformance {
    return this.#options.conformance;
  }

  has(credentials: CredentialsName): boolean {
    return this.#tokens[credentials] !== undefined;
  }

  /** The scopes that the tenant's client has. */
  async scopes(tenant: TenantName): Promise<readonly string[]> {
    return (await this.#source(tenant).get()).scopes;
  }

  /** The token for the tenant's requests. */
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
      // 503 with Retry-After: the target is overloaded and says when to retry.
      const isBusy = answer.status === 429 || answer.status === 503;
      const worthWaiting = isBusy && seconds <= patience.seconds;
      if (options.limited === true || !worthWaiting || attempt >= patience.times) return answer;
      if (this.waited + seconds > this.#options.waitSeconds) {
        throw new CaseSkipped("a higher rate limit");
      }
      this.waited += seconds;
      await this.#options.wait(seconds * 1_000);
    }
  }

  /** Sends a body of this many bytes, or the part that the target reads. */
  async sendLarge(operation: Operation, parts: RequestParts, bytes: number): Promise<Answer> {
    const encoded = await this.#request(operation, parts, { access: ownAccess });
    const mediaType = contentTypeOf(mediaTypeOf(operation) ?? "application/json");
    const request = {
      ...encoded,
      headers: { ...encoded.headers, "content-type": mediaType },
      blanks: blanksFor(operation, bytes),
    };
    const { timeoutMilliseconds } = this.#options;
    try {
      const received = await sendLargeBody(this.baseUrl, request, timeoutMilliseconds);
      return this.#receive(operation, request, received);
    } catch (error) {
      throw connectionError(error, request, timeoutMilliseconds);
    }
  }

  async #request(
    operation: Operation,
    parts: RequestParts,
    { access, accept = acceptOf(operation) }: SendOptions,
  ): Promise<HttpRequest> {
    const authorization = await this.#authorization(operation, access);
    this.sent.add(operation.id, parts);
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

  #receive(operation: Operation, request: HttpRequest, received: Received): Answer {
    const documented = this.contract.operations.includes(operation);
    const json = parseBody(received.text);
    const all = this.#options.conformance.check({
      ...(documented ? { operation } : { method: request.method, url: request.url }),
      status: received.status,
      headers: received.headers,
      body: received.text,
      json,
      envelope: request.headers["accept"] === envelopeMediaType,
    });
    const isExtra = ({ kind }: Finding): boolean =>
      kind === "undocumented-header" && !this.#options.strictHeaders;
    for (const { at } of all.filter(isExtra)) {
      this.extraHeaders.set(at, (this.extraHeaders.get(at) ?? 0) + 1);
    }
    if (documented) this.#see(operation, received.status);
    this.#hideToken(json);
    const notImplemented = documented && saysNotImplemented(request.method, received.status, json);
    const findings = notImplemented ? [] : all.filter((finding) => !isExtra(finding));
    const content = isSuccess(received.status) ? contentOf(operation, json) : json;
    return { operation, request, ...received, json, content, findings, notImplemented };
  }

  #hideToken(json: unknown): void {
    const { access_token } = (json ?? {}) as { access_token?: unknown };
    if (typeof access_token === "string") this.redactor.hide(access_token, "$TOKEN");
  }

  async #exchange(operation: Operation, request: HttpRequest): Promise<Answer> {
    const { timeoutMilliseconds, send } = this.#options;
    try {
      return this.#receive(operation, request, await send(request, timeoutMilliseconds));
    } catch (error) {
      throw connectionError(error, request, timeoutMilliseconds);
    }
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
          ? basicHeader(this.#source(access.user ?? access.tenant).credentials)
          : `Bearer ${(await this.#source(access.user ?? access.tenant).get(access.scopes)).token}`;
    }
  }

  #source(name: CredentialsName): TokenSource {
    const source = this.#tokens[name];
    if (source === undefined) throw new Error(`no credentials: ${name}`);
    return source;
  }
}

function acceptOf({ responses, successStatus }: Operation): string {
  const success = responses.find(({ status }) => status === successStatus);
  const mediaTypes = new Set([...Object.keys(success?.content ?? {}), "application/json"]);
  return [...mediaTypes].join(", ");
}
