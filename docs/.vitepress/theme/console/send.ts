import type { SampleInput } from "../../../scripts/reference/sample-input.ts";
import type { OperationData } from "./operation-data.ts";
import { chosenTarget, TargetProblem, type Target } from "./targets.ts";

/** A request as the form describes it. */
export interface FilledRequest {
  readonly input: SampleInput;
  /** The JSON as the reader typed it; null without one. */
  readonly text: string | null;
  /** Files of an upload by member. */
  readonly files: Readonly<Record<string, File>>;
}

/** The answer to a request, with its body as text if it is text. */
export interface Answer {
  readonly status: number;
  /** Empty with HTTP/2. */
  readonly statusText: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly milliseconds: number;
  readonly bytes: number;
  readonly mediaType: string;
  /** Null for a file. */
  readonly text: string | null;
  readonly content: Blob;
  /** The request line, with the query. */
  readonly address: string;
  /** The name of the server. */
  readonly server: string;
  /** Something that the reader should know about how it was sent. */
  readonly note: string;
}

/** Sends a request to the chosen target, with a token. Throws a `TargetProblem`, or an error of the platform. */
export const send = async (operation: OperationData, request: FilledRequest): Promise<Answer> =>
  sendTo(await chosenTarget(), operation, request);

/** Sends a request to a target, with a token. */
export async function sendTo(
  target: Target,
  operation: OperationData,
  request: FilledRequest,
): Promise<Answer> {
  const { scope } = operation;
  if (scope === null) return sendOnce(target, operation, request, {});
  const cachedToken = tokens.get(keyOf(target));
  const isFresh = cachedToken === undefined || cachedToken.until <= performance.now();
  const token = isFresh ? await newToken(target) : cachedToken.token;
  const answer = await sendOnce(target, operation, request, bearer(token));
  // It was revoked, or the platform was reset.
  if (answer.status === 401 && !isFresh) {
    const again = await sendOnce(target, operation, request, bearer(await newToken(target)));
    return { ...again, note: "The token was no longer valid, so it was replaced by a new one." };
  }
  if (answer.status === 403) {
    return { ...answer, note: `The client needs the scope ${scope}.` };
  }
  if (answer.status === 404 && operation.listOfIds !== undefined) {
    return { ...answer, note: "There is no such record. Use the identifiers of existing records." };
  }
  return answer;
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

interface Token {
  readonly token: string;
  /** Time of expiration on the clock of `performance.now()`. */
  readonly until: number;
}

/** Tokens by base URL and client, in memory only. */
const tokens = new Map<string, Token>();

/** Forgets all tokens, because a platform was reset. */
export const forgetTokens = (): void => tokens.clear();

const keyOf = ({ baseUrl, credentials: { clientId, clientSecret } }: Target): string =>
  JSON.stringify([baseUrl, clientId, clientSecret]);

/** A token ends earlier here than on the server, because requests take time. */
const marginSeconds = 10;

async function newToken(target: Target): Promise<string> {
  const { baseUrl, credentials } = target;
  const response = await target.fetch("/oauth2/token", {
    method: "POST",
    body: new URLSearchParams({
      client_id: credentials.clientId,
      client_secret: credentials.clientSecret,
    }),
  });
  const body = (await response.json().catch(() => null)) as {
    readonly access_token?: unknown;
    readonly expires_in?: unknown;
    readonly errors?: readonly { readonly message?: unknown }[];
  } | null;
  const token = body?.access_token;
  if (typeof token !== "string") {
    const said = body?.errors?.[0]?.message;
    const message = typeof said === "string" ? ` It says: ${said}.` : "";
    throw new TargetProblem(
      [401, 403].includes(response.status)
        ? `${baseUrl} does not accept the client id and the client secret.${message} Check both; npx secplat serve shows ` +
            "them at its first start, and npx secplat clients create makes new ones."
        : `${baseUrl} gives no token: POST /oauth2/token has the status ${response.status}.${message} Check that the ` +
            "base URL is the one of a Security Platform API.",
    );
  }
  const seconds = typeof body?.expires_in === "number" ? body.expires_in : 0;
  tokens.set(keyOf(target), {
    token,
    until: performance.now() + (seconds - marginSeconds) * 1_000,
  });
  return token;
}

async function sendOnce(
  target: Target,
  operation: OperationData,
  { input, text, files }: FilledRequest,
  authorization: Readonly<Record<string, string>>,
): Promise<Answer> {
  const address = addressOf(operation, input);
  const content = text ?? formOf(input, files);
  const headers: Record<string, string> = { ...authorization };
  for (const [name, value] of Object.entries(input.headers)) headers[name] = String(value);
  if (typeof content === "string") headers["content-type"] = input.body?.mediaType ?? "";
  const started = performance.now();
  const response = await target.fetch(address, {
    method: operation.method.toUpperCase(),
    headers,
    ...(content !== null && { body: content }),
  });
  const blob = await response.blob();
  const mediaType = response.headers.get("content-type") ?? "";
  return {
    status: response.status,
    statusText: response.statusText,
    headers: [...response.headers],
    milliseconds: performance.now() - started,
    bytes: blob.size,
    mediaType,
    text: /json|text|xml|yaml/.test(mediaType) || blob.size === 0 ? await blob.text() : null,
    content: blob,
    address,
    server: target.name,
    note: "",
  };
}

/** The path with its parameters, and the query. */
export function addressOf({ path }: OperationData, input: SampleInput): string {
  const filled = path.replaceAll(/\{([^}]+)\}/g, (_whole, name: string) =>
    encodeURIComponent(String(input.path[name] ?? "")),
  );
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input.query)) {
    for (const item of [value].flat()) query.append(name, String(item));
  }
  return query.size === 0 ? filled : `${filled}?${query.toString()}`;
}

function formOf({ body }: SampleInput, files: FilledRequest["files"]): BodyInit | null {
  if (body === null) return null;
  if (body.mediaType === "application/x-www-form-urlencoded") {
    return new URLSearchParams(body.value as Record<string, string>);
  }
  const form = new FormData();
  for (const [name, value] of Object.entries(body.value as object)) {
    if (!body.files.includes(name)) form.append(name, String(value));
  }
  for (const [name, file] of Object.entries(files)) form.append(name, file);
  return form;
}
