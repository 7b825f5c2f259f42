import type { OperationId } from "@security-platform/spec";
import { asObject, failed, type AnyAnswer } from "./answer.ts";
import type { CallOptions } from "./call-options.ts";
import { callWithoutToken, callWithToken, type Connection } from "./call.ts";
import type { AnyInput } from "./encode.ts";
import { ClientError, UnexpectedResponseError } from "./errors.ts";
import type { Collections } from "./generated/collections.ts";
import { operationTable } from "./generated/operations.ts";
import type { Operation } from "./operation.ts";
import { checkOptions, checkTimeout, type ClientOptions, type Settings } from "./options.ts";
import { TokenSource, type Grant } from "./token-source.ts";
import { createTransport } from "./transport.ts";
import type { Call } from "./types.ts";

/** A client of the API: the methods of each collection, and every operation by its id. */
export interface Client extends Collections {
  /** `client.call("indicator.get.v1", { query: { ids } })`. Rejects with a `ClientError`. */
  readonly call: Call;
  /** Revokes the client's token at once; the next call gets a new one. */
  revokeToken(): Promise<void>;
  /** Rejects new calls, waits for calls in progress, then revokes the token. */
  close(): Promise<void>;
}

const table: Readonly<Record<string, Operation>> = operationTable;

/**
 * Creates a client that requests, renews and replaces its token automatically. Throws a `TypeError` or a
 * `RangeError` for invalid options. Sends nothing before the first call.
 */
export function createClient(options: ClientOptions): Client {
  const settings = checkOptions(options);
  const connection = connect(settings);
  const tokens = new TokenSource(() => requestToken(connection, settings), settings.clock);
  const basic = basicCredentials(settings);
  const underWay = new Set<Promise<AnyAnswer>>();
  let closed = false;

  function call(
    operationId: string,
    input?: AnyInput,
    callOptions?: CallOptions,
  ): Promise<AnyAnswer> {
    const answer = send(operationId, input, callOptions);
    const settled = (): void => void underWay.delete(answer);
    underWay.add(answer);
    answer.then(settled, settled);
    return answer;
  }

  async function send(
    operationId: string,
    input: AnyInput = {},
    callOptions: CallOptions = {},
  ): Promise<AnyAnswer> {
    if (closed) throw new ClientError(`the client is closed: ${operationId} was not sent`);
    const operation = operationById(operationId);
    if (callOptions.timeoutMilliseconds !== undefined)
      checkTimeout(callOptions.timeoutMilliseconds);
    return operation.token
      ? callWithToken(connection, tokens, operation, input, callOptions)
      : callWithoutToken(connection, operation, input, callOptions, basicUnlessGiven(input, basic));
  }

  async function revokeToken(): Promise<void> {
    const token = await tokens.take();
    if (token === undefined) return;
    const operation = operationById("oauth2RevokeToken");
    await callWithoutToken(connection, operation, { body: { token } }, {}, basic);
  }

  async function close(): Promise<void> {
    closed = true;
    await Promise.allSettled(underWay);
    await revokeToken();
  }

  // The types of `Client` come from the document; the calls use the table generated from it.
  return Object.freeze({
    ...collectionMethods(call),
    call,
    revokeToken,
    close,
  }) as unknown as Client;
}

function connect({ baseUrl, fetch, clock, timeoutMilliseconds, userAgent }: Settings): Connection {
  return {
    transport: createTransport(baseUrl, fetch),
    clock,
    timeoutMilliseconds,
    headers: {
      accept: "application/json",
      ...(userAgent === undefined ? {} : { "user-agent": userAgent }),
    },
  };
}

function operationById(id: string): Operation {
  const operation = Object.hasOwn(table, id) ? table[id] : undefined;
  if (operation === undefined) throw new TypeError(`unknown operation ${id}`);
  return operation;
}

type AnyCall = (id: OperationId, input?: AnyInput, options?: CallOptions) => Promise<AnyAnswer>;
type AnyMethod = (input?: object, options?: CallOptions) => Promise<AnyAnswer>;

function collectionMethods(call: AnyCall): Record<string, Readonly<Record<string, AnyMethod>>> {
  const collections: Record<string, Record<string, AnyMethod>> = {};
  for (const operation of Object.values(table)) {
    const { id, collection, name } = operation;
    const methods = (collections[collection] ??= {});
    methods[name] = (input = {}, options = {}) => call(id, sections(operation, input), options);
  }
  return collections;
}

/** Sorts the single argument of a readable method into the input of `call`. */
function sections(
  { path, headers }: Operation,
  { body, ...parameters }: { readonly body?: unknown },
): AnyInput {
  const places = Map.groupBy(Object.entries(parameters), ([name]) => {
    if (headers.includes(name)) return "headers";
    return path.includes(`{${name}}`) ? "path" : "query";
  });
  const at = (place: "path" | "query" | "headers") => Object.fromEntries(places.get(place) ?? []);
  return { path: at("path"), query: at("query"), headers: at("headers"), body };
}

/** Calls operation `oauth2AccessToken` with the client's own credentials. */
async function requestToken(connection: Connection, settings: Settings): Promise<Grant> {
  const operation = operationById("oauth2AccessToken");
  const { clientId, clientSecret, memberCid, scopes } = settings;
  const body = {
    grant_type: "client_credentials",
    client_id: clientId,
    client_secret: clientSecret,
    member_cid: memberCid,
    scope: scopes?.join(" "),
  };
  const { data, response } = await callWithoutToken(connection, operation, { body }, {});
  const { access_token: accessToken, expires_in: expiresInSeconds } = asObject(data) ?? {};
  if (typeof accessToken !== "string" || typeof expiresInSeconds !== "number") {
    const message = "access_token or expires_in is missing";
    throw new UnexpectedResponseError(failed(operation), response.status, message);
  }
  return { accessToken, expiresInSeconds };
}

/** RFC 6749 §2.3.1: id and secret are form-encoded inside Basic, so the header is ASCII. */
function basicCredentials({ clientId, clientSecret }: Settings): string {
  return `Basic ${btoa(`${formEncode(clientId)}:${formEncode(clientSecret)}`)}`;
}

const formEncode = (text: string): string => new URLSearchParams({ _: text }).toString().slice(2);

/** The token operations accept the credentials either in the body or by Basic. */
function basicUnlessGiven({ body }: AnyInput, basic: string): string | undefined {
  return asObject(body)?.["client_secret"] === undefined ? basic : undefined;
}
