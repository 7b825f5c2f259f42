import type {
  Outgoing,
  OutgoingDownload,
  OutgoingQuery,
  OutgoingResponse,
} from "../../../outgoing/outgoing.ts";
import { readChallenge, type Challenge } from "./challenge.ts";

/** User name and password for a registry. */
export interface SignInPair {
  readonly username: string;
  readonly password: string;
}

/** The registry, or its token service, returned an unexpected response. */
export class RegistryError extends Error {
  override readonly name = "RegistryError";
  /** Whether a further attempt may succeed soon. */
  readonly temporary: boolean;
  /** The registry rejects the credential. */
  readonly rejected: boolean;
  /** The registry limits the number of requests. */
  readonly limited: boolean;

  constructor(message: string, { temporary = false, rejected = false, limited = false } = {}) {
    super(message);
    this.temporary = temporary;
    this.rejected = rejected;
    this.limited = limited;
  }
}

const json = "application/json";
const anything = "*/*";
const redirectStatuses = new Set([301, 302, 303, 307, 308]);
const mostRedirects = 5;

type Answered = Pick<OutgoingResponse, "status" | "headers"> & Partial<OutgoingDownload>;

interface ClientParts {
  readonly outgoing: Outgoing;
  /** The URL that `/v2/` follows. */
  readonly base: string;
  /** Null: public images only. */
  readonly signIn: SignInPair | null;
  readonly signal?: AbortSignal;
}

/**
 * Reads from a registry with the OCI distribution API, and authenticates as the registry requires.
 */
export class RegistryClient {
  readonly #parts: ClientParts;
  #authorization: string | null = null;

  constructor(parts: ClientParts) {
    this.#parts = parts;
  }

  /**
   * `path`: below the base, such as `/v2/_catalog`. `accept`: media types of the response. Throws
   * `RegistryError` if signing in fails.
   */
  get(path: string, accept = json): Promise<OutgoingResponse> {
    const url = `${this.#parts.base}${path}`;
    const { outgoing } = this.#parts;
    return this.#signedIn((authorization) => outgoing.get(url, this.#query(authorization, accept)));
  }

  /** Like `get`, without the body. */
  head(path: string, accept: string): Promise<OutgoingResponse> {
    const url = `${this.#parts.base}${path}`;
    const { outgoing } = this.#parts;
    return this.#signedIn((authorization) =>
      outgoing.head(url, this.#query(authorization, accept)),
    );
  }

  /**
   * Like `get`, for content of any size, and follows redirects. Another host, such as an object store,
   * does not receive the authorization.
   */
  async download(path: string): Promise<OutgoingDownload> {
    const { outgoing } = this.#parts;
    let url = `${this.#parts.base}${path}`;
    let response = await this.#signedIn((authorization) =>
      outgoing.download(url, this.#query(authorization, anything)),
    );
    for (let count = 0; redirectStatuses.has(response.status); count += 1) {
      response.content.destroy();
      const { location } = response.headers;
      const next = location === undefined ? null : URL.parse(location, url);
      if (next === null) throw new RegistryError("its redirect has no valid location");
      if (count === mostRedirects) throw new RegistryError("it redirects too often");
      const isSame = next.origin === new URL(this.#parts.base).origin;
      url = next.href;
      response = await outgoing.download(
        url,
        this.#query(isSame ? this.#authorization : null, anything),
      );
    }
    return response;
  }

  async #signedIn<Response extends Answered>(
    send: (authorization: string | null) => Promise<Response>,
  ): Promise<Response> {
    const first = await send(this.#authorization);
    if (first.status !== 401) return first;
    first.content?.destroy();
    const challenge = readChallenge(first.headers["www-authenticate"]);
    this.#authorization = await this.#signIn(challenge);
    const second = await send(this.#authorization);
    if (second.status !== 401) return second;
    second.content?.destroy();
    throw this.#rejected("the registry");
  }

  async #signIn(challenge: Challenge | null): Promise<string> {
    const { signIn } = this.#parts;
    if (challenge === null) {
      throw new RegistryError("it responded with 401 without a supported authentication scheme");
    }
    if (challenge.scheme === "basic") {
      if (signIn === null) throw this.#rejected("the registry");
      return basic(signIn);
    }
    const { realm, service, scope } = challenge;
    const url = URL.parse(realm);
    if (url === null) throw new RegistryError("its challenge contains no valid token URL");
    if (service !== undefined) url.searchParams.set("service", service);
    for (const each of scope?.split(" ") ?? []) url.searchParams.append("scope", each);
    const response = await this.#parts.outgoing.get(
      url.href,
      this.#query(signIn === null ? null : basic(signIn), json),
    );
    if ([400, 401, 403].includes(response.status)) throw this.#rejected(`its token service`);
    if (response.status !== 200) throw unexpected("its token service", response.status);
    const { token, access_token: accessToken } = readObject(response.body);
    const text = token ?? accessToken;
    if (typeof text === "string" && /^[\x21-\x7e]+$/.test(text)) return `Bearer ${text}`;
    throw new RegistryError("its token service responded without a token");
  }

  #query(authorization: string | null, accept: string): OutgoingQuery {
    const { signal } = this.#parts;
    return {
      headers: {
        accept,
        "user-agent": "security-platform",
        ...(authorization === null ? {} : { authorization }),
      },
      ...(signal === undefined ? {} : { signal }),
    };
  }

  #rejected(who: string): RegistryError {
    return this.#parts.signIn === null
      ? new RegistryError(`${who} requires a credential`)
      : new RegistryError(`${who} rejects the credential`, { rejected: true });
  }
}

/** The error for an unexpected status. */
export function unexpected(service: string, status: number): RegistryError {
  const redirects = status >= 300 && status < 400 ? "; redirects are not followed" : "";
  const temporary = status >= 500 || status === 408 || status === 429;
  return new RegistryError(`${service} responded with ${status}${redirects}`, {
    temporary,
    limited: status === 429,
  });
}

/** Throws `RegistryError` if the text is not a JSON object. */
export function readObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value as Record<string, unknown>;
  } catch {
    // Handled like any other value.
  }
  throw new RegistryError("it responded with something other than a JSON object");
}

const basic = ({ username, password }: SignInPair): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
