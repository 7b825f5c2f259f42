import type { DocumentedResponse } from "../contract.ts";
import type { Report } from "./finding.ts";
import type { Validators } from "./validators.ts";

/** Headers of HTTP itself and of proxies; a document need not list them. */
const transportHeaders: ReadonlySet<string> = new Set([
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "date",
  "keep-alive",
  "transfer-encoding",
  "vary",
]);

/** Checks response headers (names in lower case) against the document. */
export function checkHeaders(
  response: DocumentedResponse,
  headers: Readonly<Record<string, string>>,
  validators: Validators,
  allowed: ReadonlySet<string>,
  report: Report,
): void {
  const documented = new Set<string>();
  for (const [name, { required, schema }] of Object.entries(response.headers)) {
    const key = name.toLowerCase();
    documented.add(key);
    const value = headers[key];
    if (value === undefined) {
      if (required === true)
        report("missing-header", `header ${name}`, "is documented as always present");
      continue;
    }
    for (const { message } of validators.violations(schema, typed(schema["type"], value))) {
      report("invalid-header", `header ${name}`, `${message}, got ${JSON.stringify(value)}`);
    }
  }
  for (const name of Object.keys(headers)) {
    if (documented.has(name) || transportHeaders.has(name) || allowed.has(name)) continue;
    report("undocumented-header", `header ${name}`, "the document has no such header here");
  }
}

function typed(type: unknown, value: string): unknown {
  if (type === "integer" || type === "number") {
    return /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
  }
  if (type === "boolean" && (value === "true" || value === "false")) return value === "true";
  return value;
}
