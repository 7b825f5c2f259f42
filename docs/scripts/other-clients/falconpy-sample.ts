import type { Operation } from "@security-platform/spec";
import { sampleInput, type SampleBody } from "../reference/sample-input.ts";
import { otherCalls } from "./calls.ts";

/** Operations that FalconPy 1.6.6 has a method for, but cannot call. */
const brokenMethods: ReadonlySet<string> = new Set([
  // It sends an empty body whatever is passed.
  "aggregates.file-details.post.v1",
  // It has no way to pass the ticket of the scan.
  "PostImageScanInventory",
]);

/** A complete Python program that calls the operation by FalconPy; null if FalconPy cannot do it. */
export function falconPySample(operation: Operation): string | null {
  const { falconpy } = otherCalls(operation.id);
  if (falconpy === undefined || brokenMethods.has(operation.id)) return null;
  const { query, path, headers, body } = sampleInput(operation);
  const isForm = body !== null && body.mediaType !== "application/json";
  const isInBody =
    falconpy.takesQuery === false && body !== null && !isForm && !Array.isArray(body.value);
  const keywords = {
    ...path,
    ...(!isInBody && query),
    ...headers,
    ...(isForm && formKeywords(body)),
  };
  const named = Object.entries(keywords).filter(([name]) => isIdentifier(name));
  const others = Object.entries(keywords).filter(([name]) => !isIdentifier(name));
  const values: readonly (readonly [string, unknown])[] = [
    ...named,
    ...(others.length === 0 ? [] : [["parameters", Object.fromEntries(others)] as const]),
    ...(body === null || isForm
      ? []
      : [["body", isInBody ? { ...query, ...(body.value as object) } : body.value] as const]),
  ];
  return [
    "import os",
    "",
    `from falconpy import ${falconpy.class}`,
    "",
    `falcon = ${falconpy.class}(`,
    '    client_id=os.environ["CLIENT_ID"],',
    '    client_secret=os.environ["CLIENT_SECRET"],',
    '    base_url=os.environ["BASE_URL"],',
    ")",
    `response = falcon.${falconpy.method}(${argumentsOf(values)})`,
    "print(response)",
  ].join("\n");
}

/** Files by their names. The client sends its own credentials. */
function formKeywords({ value, files }: SampleBody): Readonly<Record<string, unknown>> {
  const own = new Set(["client_id", "client_secret"]);
  return Object.fromEntries(
    Object.entries(value as object)
      .filter(([name]) => !own.has(name))
      .map(([name, member]) => [name, files.includes(name) ? "example.txt" : member]),
  );
}

const keywordsOfPython = new Set(["from", "in", "is", "class", "global", "not"]);

const isIdentifier = (name: string): boolean =>
  /^[A-Za-z_]\w*$/.test(name) && !keywordsOfPython.has(name);

const width = 88;

function argumentsOf(values: readonly (readonly [string, unknown])[]): string {
  const flat = values.map(([name, value]) => `${name}=${flatLiteral(value)}`).join(", ");
  if (flat.length <= 60) return flat;
  const lines = values.map(([name, value]) => `    ${name}=${literal(value, "    ")},\n`);
  return `\n${lines.join("")}`;
}

/** A value as Python, on one line if it is short. */
function literal(value: unknown, indent: string): string {
  const flat = flatLiteral(value);
  if (flat.length + indent.length <= width || typeof value !== "object" || value === null) {
    return flat;
  }
  const inner = `${indent}    `;
  if (Array.isArray(value)) {
    return `[\n${value.map((item) => `${inner}${literal(item, inner)},\n`).join("")}${indent}]`;
  }
  const lines = Object.entries(value).map(
    ([key, item]) => `${inner}${JSON.stringify(key)}: ${literal(item, inner)},\n`,
  );
  return `{\n${lines.join("")}${indent}}`;
}

function flatLiteral(value: unknown): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(flatLiteral).join(", ")}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, item]) => `${JSON.stringify(key)}: ${flatLiteral(item)}`,
  );
  return `{${members.join(", ")}}`;
}
