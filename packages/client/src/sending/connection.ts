/// <reference lib="esnext.disposable" preserve="true" />
import type { Answer } from "../wire/answer.ts";
import { asObject } from "../wire/any-object.ts";
import type { Clock } from "../clock.ts";
import type { CallOptions } from "./call-options.ts";
import type { Descriptor } from "../wire/descriptor.ts";
import { encodeRequest, type AnyInput } from "../wire/encode.ts";
import { ClientError, failedOperation, UnexpectedResponseError } from "../wire/errors.ts";
import { exchangeAnswer, exchangeResponse } from "./exchange.ts";
import { createToken, revokeToken } from "../generated/oauth2.ts";
import { Pace, Slots } from "./limits.ts";
import {
  checkTimeout,
  checkOptions,
  requireText,
  type ConnectionOptions,
  type Credentials,
  type Settings,
} from "./options.ts";
import type { Authorization, Exchange, SharedParts, StreamedBody } from "./outgoing.ts";
import { TokenSource, type Grant } from "./token-source.ts";
import { createTransport } from "../wire/transport.ts";

/**
 * A connection to the API: credentials, token, transport, limits and hooks. Operations are called with it:
 * `listIndicators(connection)({ limit: 10 })`.
 */
export class Connection {
  readonly clock: Clock;
  readonly #settings: Settings;
  readonly #parts: SharedParts;
  readonly #tokens: TokenSource;
  /** The number of calls in progress. */
  #underWay = 0;
  /** Called when the last call in progress has ended. */
  readonly #ended: (() => void)[] = [];
  /** The connection that knows those of all tenants: the one that `connect` made. */
  readonly #root: Connection;
  readonly #tenants = new Map<string, Connection>();
  #closed = false;

  constructor(settings: Settings, parts = newParts(settings), root?: Connection) {
    const { clock } = settings;
    this.clock = clock;
    this.#settings = settings;
    this.#root = root ?? this;
    this.#parts = { ...parts, pace: new Pace(clock) };
    this.#tokens = new TokenSource(() => this.#requestToken(), clock);
  }

  /**
   * Calls an operation; the methods do this. A function is called for the input after the code that made the
   * call. Rejects with a `ClientError`.
   */
  call(
    descriptor: Descriptor,
    input?: DelayedInput,
    options?: CallOptions,
  ): Promise<Answer<unknown>> {
    return this.send(descriptor, input, options, exchangeAnswer);
  }

  /**
   * A connection that acts for a child tenant, with the same transport, limits and hooks, and its own token.
   * The same tenant has the same connection. Throws a `TypeError` for anything but a non-empty string.
   */
  forTenant(memberCid: string): Connection {
    // Without it, the connection would act for the parent tenant.
    requireText("memberCid", memberCid);
    const root = this.#root;
    const existing = root.#tenants.get(memberCid);
    if (existing !== undefined && !existing.#closed) return existing;
    const connection = new Connection({ ...this.#settings, memberCid }, this.#parts, root);
    connection.#closed = this.#closed;
    root.#tenants.set(memberCid, connection);
    return connection;
  }

  /** Revokes the connection's token at once; the next call gets a new one. */
  async revokeToken(): Promise<void> {
    for (const value of await this.#tokens.take()) {
      const token = value.slice(scheme.length);
      await this.#exchange(revokeToken.descriptor, { body: { token } }, {}, exchangeAnswer);
    }
  }

  /**
   * Rejects new calls, waits for calls in progress, then revokes the token. Also closes the connections of
   * child tenants that `forTenant` made.
   */
  async close(): Promise<void> {
    this.#closed = true;
    const children = [...this.#tenants.values()];
    if (this.#underWay > 0) await new Promise<void>((resolve) => this.#ended.push(resolve));
    await Promise.all([this.revokeToken(), ...children.map((child) => child.close())]);
  }

  /**
   * Like `close`, but never rejects: a token that cannot be revoked is left to expire. Its error would replace that of
   * the code before.
   */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close().catch(() => {});
  }

  #exchange<Result>(
    descriptor: Descriptor,
    input: AnyInput,
    options: CallOptions,
    exchange: Exchange<Result>,
  ): Promise<Result> {
    const authorization =
      descriptor.credentials === true
        ? byCredentials(this.#settings, input)
        : (this.#settings.authorization ?? this.#tokens);
    const request = encodeRequest(descriptor, input);
    const outgoing = { descriptor, request, options, authorization };
    const body = request.body as Partial<StreamedBody> | undefined;
    return body?.send?.(this.#parts, outgoing, exchange) ?? exchange(this.#parts, outgoing);
  }

  /** Like `call`, with the response itself. */
  raw(descriptor: Descriptor, input?: DelayedInput, options?: CallOptions): Promise<Response> {
    return this.send(descriptor, input, options, exchangeResponse);
  }

  /** Like `call`, with a function that sends the request and reads the response. */
  async send<Result>(
    descriptor: Descriptor,
    input: DelayedInput = {},
    options: CallOptions = {},
    exchange: Exchange<Result>,
  ): Promise<Result> {
    if (this.#closed) {
      throw new ClientError(`the client is closed: ${descriptor.id} was not sent`);
    }
    checkTimeout(options.timeoutMilliseconds ?? Infinity);
    this.#underWay += 1;
    try {
      // The code that made the call may still say how it is sent, and what the input is.
      await undefined;
      const ready = typeof input === "function" ? await input() : input;
      return await this.#exchange(descriptor, ready, options, exchange);
    } finally {
      this.#underWay -= 1;
      if (this.#underWay === 0) for (const end of this.#ended) end();
    }
  }

  /** Calls operation `oauth2AccessToken` with the client's own credentials. */
  async #requestToken(): Promise<Grant> {
    const { descriptor } = createToken;
    const { clientId, clientSecret, memberCid, scopes } = this.#settings;
    const body = {
      grant_type: "client_credentials",
      client_id: clientId,
      client_secret: clientSecret,
      member_cid: memberCid,
      scope: scopes?.join(" "),
    };
    const answer = await this.#exchange(descriptor, { body }, {}, exchangeAnswer);
    const { access_token, expires_in } = asObject(answer.data) ?? {};
    // RFC 6749 §A.12. The error of a header with other characters would repeat the token.
    const isToken = typeof access_token === "string" && /^[ -~]+$/.test(access_token);
    if (!isToken || typeof expires_in !== "number") {
      const message = "no valid access_token or expires_in";
      const { status } = answer.response;
      throw new UnexpectedResponseError(failedOperation(descriptor), status, message);
    }
    return { authorization: scheme + access_token, expiresInSeconds: expires_in };
  }
}

/** An input, or a function that returns it and is called after the code that made the call. */
type DelayedInput = AnyInput | (() => AnyInput | Promise<AnyInput>);

/**
 * Connects to the API. Throws a `TypeError` or a `RangeError` for invalid options. Sends nothing before the
 * first call.
 */
export const connect = (options: Credentials & ConnectionOptions): Connection =>
  new Connection(checkOptions(options));

function newParts(settings: Settings): Omit<SharedParts, "pace"> {
  const { baseUrl, send, userAgent, concurrency } = settings;
  return {
    ...settings,
    transport: createTransport(baseUrl, send),
    slots: new Slots(concurrency),
    headers: { "user-agent": userAgent },
  };
}

/** The token operations accept the credentials either in the body or by Basic. */
function byCredentials({ clientId, clientSecret }: Settings, { body }: AnyInput): Authorization {
  const isGiven = asObject(body)?.["client_secret"] !== undefined;
  // RFC 6749 §2.3.1: id and secret are form-encoded inside Basic, so the header is ASCII.
  const basic = `Basic ${btoa(`${formEncode(clientId)}:${formEncode(clientSecret)}`)}`;
  return { get: () => (isGiven ? undefined : basic), discard: () => false };
}

const scheme = "Bearer ";

const formEncode = (text: string): string => new URLSearchParams({ _: text }).toString().slice(2);
