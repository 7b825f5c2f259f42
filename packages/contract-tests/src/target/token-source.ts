import { operationById, type Contract, type Operation } from "../contract.ts";
import { emptyRequest, type RequestParts } from "../requests/request.ts";
import { noAccess, type Access, type Credentials } from "./credentials.ts";
import type { Redactor } from "./redactor.ts";
import { messagesOf, type Answer } from "./answer.ts";

export interface Token {
  readonly token: string;
  readonly scopes: readonly string[];
  /** Milliseconds of the process clock. */
  readonly expires: number;
}

const tokenOperation = "oauth2AccessToken";
const renewSeconds = 60;

/** The target cannot be tested; the message gives the reason and the next step. */
export class TargetError extends Error {
  override readonly name = "TargetError";
}

/** The part of a target that token requests need. */
interface TokenTarget {
  readonly contract: Contract;
  readonly redactor: Redactor;
  send(
    operation: Operation,
    parts: RequestParts,
    options: { readonly access: Access; readonly aside?: boolean },
  ): Promise<Answer>;
}

export type TokenPrefix = "" | "OTHER_" | "LIMITED_";

/** Tokens of one client, by scopes; each is requested once and used until it is about to expire. */
export class TokenSource {
  readonly credentials: Credentials;
  readonly #target: TokenTarget;
  readonly #tokens = new Map<string, Promise<Token>>();

  readonly #prefix: TokenPrefix;

  /** `prefix` distinguishes the placeholders of its tokens: `$TOKEN`, `$OTHER_TOKEN`. */
  constructor(target: TokenTarget, credentials: Credentials, prefix: TokenPrefix) {
    this.#target = target;
    this.credentials = credentials;
    this.#prefix = prefix;
  }

  /** Throws if the target rejects the request: nothing can be tested without a token. */
  async get(scopes?: readonly string[]): Promise<Token> {
    const key = scopes?.join(" ") ?? "";
    let token = this.#tokens.get(key);
    if (token === undefined || (await token).expires <= performance.now()) {
      token = this.ask(scopes);
      this.#tokens.set(key, token);
    }
    return token;
  }

  /** A new token. */
  async ask(scopes?: readonly string[]): Promise<Token> {
    const operation = operationById(this.#target.contract, tokenOperation);
    const { clientId, clientSecret } = this.credentials;
    const answer = await this.#target.send(
      operation,
      {
        ...emptyRequest,
        body: {
          client_id: clientId,
          client_secret: clientSecret,
          ...(scopes === undefined ? {} : { scope: scopes.join(" ") }),
        },
      },
      { access: noAccess, aside: true },
    );
    if (answer.status !== operation.successStatus) {
      throw new TargetError(`no token for client ${clientId}: ${refusal(answer)}`);
    }
    const { access_token, expires_in, scope } = (answer.json ?? {}) as Readonly<
      Record<string, unknown>
    >;
    if (typeof access_token !== "string") {
      throw new TargetError(
        `no token for client ${clientId}: the answer has no access_token: ${shown(answer)}`,
      );
    }
    const suffix = scopes === undefined ? "" : "_FOR_SCOPES";
    this.#target.redactor.hide(access_token, `$${this.#prefix}TOKEN${suffix}`);
    const seconds = typeof expires_in === "number" ? expires_in : 0;
    return {
      token: access_token,
      scopes: typeof scope === "string" ? scope.split(" ") : [],
      expires: performance.now() + Math.max(seconds - renewSeconds, seconds / 2) * 1_000,
    };
  }
}

/** Why there is no token, with the next step where one is known. */
function refusal(answer: Answer): string {
  const { status, headers } = answer;
  if (status >= 300 && status < 400) {
    const location = headers["location"] ?? "nowhere";
    return `${status} redirects to ${location}; redirects are not followed, so pass the final URL as --base-url`;
  }
  return `${status} ${messagesOf(answer).join("; ") || shown(answer)}`;
}

function shown({ headers, text }: Answer): string {
  const type = headers["content-type"] ?? "no content type";
  return `${type}, ${JSON.stringify(text.slice(0, 120))}`;
}
