import type { CalledOperation, JsonSchema } from "@security-platform/spec";
import { shellWord } from "../terminal/shell-word.ts";
import { resolved } from "./schema.ts";

/** A request that is ready to be sent. */
export interface CurlRequest {
  readonly url: string;
  /** The HTTP method in upper case. */
  readonly method: string;
  readonly headers: Headers;
}

/** Headers that curl sets itself, or that have a variable. */
const omitted: ReadonlySet<string> = new Set(["authorization", "user-agent", "content-type"]);

/**
 * The request as a command line of curl for a POSIX shell. Secrets are variables: the token is
 * `$SECPLAT_TOKEN`, and a member `password` of the body is `$PASSWORD`.
 */
export function curlOf(
  operation: Pick<CalledOperation, "requestBody">,
  { url, method, headers }: CurlRequest,
  body: unknown,
): string {
  const parts = [
    `curl ${shellWord(url)}`,
    ...methodParts(method, body !== undefined),
    ...authorization(headers.get("authorization")),
    ...[...headers]
      .filter(([name, value]) => !omitted.has(name) && !(name === "accept" && value === "*/*"))
      .map(([name, value]) => `-H ${shellWord(`${name}: ${value}`)}`),
    ...bodyParts(operation, body),
  ];
  return `${parts.join(" \\\n  ")}\n`;
}

function methodParts(method: string, hasBody: boolean): readonly string[] {
  if (method === "HEAD") return ["--head"];
  return method === (hasBody ? "POST" : "GET") ? [] : [`-X ${method}`];
}

function authorization(value: string | null): readonly string[] {
  if (value === null) return [];
  return value.startsWith("Basic ")
    ? ['-u "$SECPLAT_CLIENT_ID:$SECPLAT_CLIENT_SECRET"']
    : ['-H "Authorization: Bearer $SECPLAT_TOKEN"'];
}

function bodyParts(
  { requestBody }: Pick<CalledOperation, "requestBody">,
  body: unknown,
): readonly string[] {
  if (body === undefined || requestBody === undefined) return [];
  const { mediaType, schema } = requestBody;
  if (typeof body === "string") {
    return [`-H ${shellWord(`content-type: ${mediaType}`)}`, `--data-binary ${shellWord(body)}`];
  }
  const masked = withVariables(body, schema);
  if (mediaType === "application/json") {
    return ["-H 'content-type: application/json'", `--data ${withSecrets(JSON.stringify(masked))}`];
  }
  const { properties = {} } = resolved(schema);
  return Object.entries(masked as object).map(([name, value]: [string, unknown]) => {
    const isFile = resolved(properties[name]).format === "binary";
    const option = mediaType === "multipart/form-data" ? "-F" : "--data-urlencode";
    return `${option} ${withSecrets(`${name}=${isFile ? "@" : ""}${String(value)}`)}`;
  });
}

const mark = "\u0000";

/** Replaces secret members by the names of their variables. */
function withVariables(value: unknown, reference: JsonSchema | undefined, name = ""): unknown {
  const schema = resolved(reference);
  if (schema.format === "password") return `${mark}${name.toUpperCase()}${mark}`;
  if (Array.isArray(value)) return value.map((item) => withVariables(item, schema.items, name));
  if (typeof value !== "object" || value === null) return value;
  const alternatives = [
    schema,
    ...[...(schema.oneOf ?? []), ...(schema.anyOf ?? [])].map(resolved),
  ];
  return Object.fromEntries(
    Object.entries(value).map(([member, inner]: [string, unknown]) => {
      const owner = alternatives.find(({ properties = {} }) => Object.hasOwn(properties, member));
      return [member, withVariables(inner, owner?.properties?.[member], member)];
    }),
  );
}

/** A word for the shell in which the marked names are variables. */
function withSecrets(text: string): string {
  const escaped = text.replaceAll("\\u0000", mark);
  if (!escaped.includes(mark)) return shellWord(escaped);
  const [first = "", ...rest] = escaped.split(mark);
  const words = [first, ...rest].map((part, index) =>
    index % 2 === 1 ? `"$${part}"` : `'${part.replaceAll("'", `'\\''`)}'`,
  );
  return words.join("");
}
