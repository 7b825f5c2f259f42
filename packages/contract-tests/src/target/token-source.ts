import { operationById } from "../contract.ts";
import { emptyRequest } from "../requests/request.ts";
import { noAccess, type Credentials } from "./credentials.ts";
import { messagesOf } from "./answer.ts";
import type { Target } from "./target.ts";

export interface Token {
  readonly token: string;
  readonly scopes: readonly string[];
  /** Milliseconds of the process clock. */
  readonly expires: number;
}

const tokenOperation = "oauth2AccessToken";
const renewMilliseconds = 60_000;

/** Tokens of one client, by scopes; each asked for once and used until it is about to expire. */
export class TokenSource {
  readonly credentials: Credentials;
  readonly #target: Target;
  readonly #tokens = new Map<string, Promise<Token>>();

  constructor(target: Target, credentials: Credentials) {
    this.#target = target;
    this.credentials = credentials;
  }

  /** Throws where the target refuses: without a token nothing can be tested. */
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
      const reason = messagesOf(answer).join("; ") || answer.text.slice(0, 200);
      throw new Error(`no token for client ${clientId}: ${answer.status} ${reason}`);
    }
    const granted = answer.json as { access_token: string; expires_in: number; scope: string };
    return {
      token: granted.access_token,
      scopes: granted.scope.split(" "),
      expires: performance.now() + granted.expires_in * 1_000 - renewMilliseconds,
    };
  }
}
