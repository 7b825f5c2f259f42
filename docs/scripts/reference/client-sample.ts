import type { Operation } from "@security-platform/spec";
import type { SampleInput } from "./sample-input.ts";

/** A complete program that calls the operation. */
export function clientSample(
  operation: Pick<Operation, "collection" | "methodName">,
  { query, path, headers, body }: SampleInput,
): string {
  const input = {
    ...path,
    ...withSortKeys(query),
    ...headers,
    ...(body !== null && { body: withFiles(withoutCredentials(body.value), body.files) }),
  };
  const argument = Object.keys(input).length === 0 ? "" : literal(input, "");
  return [
    `import { createClient } from "@security-platform/client";`,
    "",
    'const { BASE_URL = "", CLIENT_ID = "", CLIENT_SECRET = "" } = process.env;',
    "const client = createClient({",
    "  baseUrl: BASE_URL,",
    "  clientId: CLIENT_ID,",
    "  clientSecret: CLIENT_SECRET,",
    "});",
    "",
    `const { data } = await client.${clientMethod(operation)}(${argument});`,
    "console.log(data);",
  ].join("\n");
}

/** `ioc.createIndicators`. */
export const clientMethod = ({
  collection,
  methodName,
}: Pick<Operation, "collection" | "methodName">): string =>
  `${camelCase(collection)}.${methodName}`;

const camelCase = (text: string): string =>
  text.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The client takes a sort order as a list of keys. */
function withSortKeys(query: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { sort } = query;
  if (typeof sort !== "string") return query;
  return { ...query, sort: sort.replaceAll("|", ".").split(",") };
}

/** The client sends its own credentials to the token operations. */
function withoutCredentials(body: unknown): unknown {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return body;
  const own = new Set(["client_id", "client_secret"]);
  return Object.fromEntries(Object.entries(body).filter(([name]) => !own.has(name)));
}

/** TypeScript source that is inserted unchanged. */
class Source {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

function withFiles(body: unknown, files: readonly string[]): unknown {
  if (files.length === 0) return body;
  return Object.fromEntries(
    Object.entries(body as object).map(([name, value]) => [
      name,
      files.includes(name) ? new Source(`new Blob([${JSON.stringify(value)}])`) : value,
    ]),
  );
}

const width = 88;

/** A value as TypeScript, on one line if it is short. */
export function literal(value: unknown, indent: string): string {
  const flat = flatLiteral(value);
  const isShort = flat.length + indent.length <= width;
  if (isShort || typeof value !== "object" || value === null || value instanceof Source) {
    return flat;
  }
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    return `[\n${value.map((item) => `${inner}${literal(item, inner)},\n`).join("")}${indent}]`;
  }
  const lines = Object.entries(value).map(
    ([key, item]) => `${inner}${name(key)}: ${literal(item, inner)},\n`,
  );
  return `{\n${lines.join("")}${indent}}`;
}

function flatLiteral(value: unknown): string {
  if (value instanceof Source) return value.text;
  if (Array.isArray(value)) return `[${value.map(flatLiteral).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, item]) => `${name(key)}: ${flatLiteral(item)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

const name = (key: string): string => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key));
