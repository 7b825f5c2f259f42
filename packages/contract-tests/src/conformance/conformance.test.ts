import { describe, expect, test } from "vitest";
import { envelopeMediaType, platformContract, type Operation } from "../contract.ts";
import { createConformance, type CheckedResponse } from "./conformance.ts";
import type { FindingKind } from "./finding.ts";

const contract = platformContract();
const conformance = createConformance(contract);

const traceId = "7b1c9a52-4e1d-4f0a-9a53-2f6f0c8f5f10";
const sampleHeaders: Readonly<Record<string, string>> = {
  "x-total-count": "4",
  "x-trace-id": traceId,
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
  "x-pagination-limit": "100",
  "retry-after": "12",
  "x-ratelimit-retryafter": "1772439360",
  "www-authenticate": "Bearer",
  deprecation: "@1767225600",
  "x-scan-ticket": "ticket",
  "accept-ranges": "bytes",
  "content-range": "bytes 0-0/1",
  etag: `"${"0".repeat(64)}"`,
};

/** A documented response of an operation: its first example, with the required headers. */
function documented(operation: Operation, status: number): CheckedResponse & { headers: object } {
  const response = operation.responses.find((each) => each.status === status);
  const [mediaType, content] = Object.entries(response?.content ?? {})[0] ?? ["application/json"];
  const value = structuredClone(Object.values(content?.examples ?? {})[0]?.value) as {
    meta?: { trace_id: string };
  };
  if (value?.meta !== undefined) value.meta.trace_id = traceId;
  const required = Object.entries(response?.headers ?? {}).filter(([, header]) => header.required);
  const headers = required.map(([name]) => [
    name.toLowerCase(),
    sampleHeaders[name.toLowerCase()] ?? "",
  ]);
  return {
    operation,
    status,
    headers: { "content-type": `${mediaType}; charset=utf-8`, ...Object.fromEntries(headers) },
    body: operation.method === "head" || content === undefined ? "" : JSON.stringify(value),
  };
}

const operationOf = (id: string): Operation => {
  const match = contract.operations.find((operation) => operation.id === id);
  if (match === undefined) throw new Error(id);
  return match;
};

const kinds = (response: CheckedResponse): readonly FindingKind[] =>
  conformance.check(response).map(({ kind }) => kind);

describe("the examples of the document conform", () => {
  for (const operation of contract.operations) {
    test(operation.id, () => {
      for (const { status } of operation.responses) {
        // A shared example may contain the code of another status; everything else must be valid.
        const findings = conformance.check(documented(operation, status));
        expect(findings.filter(({ kind }) => kind !== "inconsistent")).toEqual([]);
      }
    });
  }
});

describe("each departure from the document is a separate finding", () => {
  const search = documented(operationOf("indicator.search.v1"), 200);
  const combined = documented(operationOf("indicator.combined.v1"), 200);
  const refused = documented(operationOf("indicator.search.v1"), 400);

  test("the samples conform", () => {
    expect([search, combined, refused].flatMap(kinds)).toEqual([]);
  });

  const edited = (response: CheckedResponse, edit: (body: never) => unknown): CheckedResponse => ({
    ...response,
    body: JSON.stringify(edit(JSON.parse(response.body) as never)),
  });
  const withHeaders = (headers: Readonly<Record<string, string | undefined>>): CheckedResponse => ({
    ...search,
    headers: Object.fromEntries(
      Object.entries({ ...search.headers, ...headers }).filter(([, value]) => value !== undefined),
    ) as Record<string, string>,
  });

  test.each<[string, CheckedResponse, FindingKind, string]>([
    ["a status", { ...search, status: 418 }, "undocumented-status", "status"],
    [
      "a 404 of an operation without identifiers",
      { ...refused, status: 404 },
      "undocumented-status",
      "status",
    ],
    [
      "a header too many",
      withHeaders({ "x-powered-by": "a" }),
      "undocumented-header",
      "header x-powered-by",
    ],
    [
      "a header of another status",
      withHeaders({ "retry-after": "1" }),
      "undocumented-header",
      "header retry-after",
    ],
    [
      "a header too few",
      withHeaders({ "x-trace-id": undefined }),
      "missing-header",
      "header X-Trace-Id",
    ],
    [
      "a header of a wrong form",
      withHeaders({ "x-trace-id": "7" }),
      "invalid-header",
      "header X-Trace-Id",
    ],
    [
      "a header that is no number",
      withHeaders({ "x-total-count": "1e3" }),
      "invalid-header",
      "header X-Total-Count",
    ],
    [
      "a content type",
      withHeaders({ "content-type": "text/html" }),
      "undocumented-content-type",
      "header content-type",
    ],
    [
      "no content type",
      withHeaders({ "content-type": undefined }),
      "undocumented-content-type",
      "header content-type",
    ],
    ["a body that is no JSON", { ...search, body: "[" }, "invalid-body", "body"],
    ["a body of another type", { ...search, body: "{}" }, "invalid-body", "body"],
    ["an item of a wrong form", edited(search, () => ["x"]), "invalid-body", "body[0]"],
    [
      "a field that the schema leaves open",
      edited(combined, ([first]: [object]) => [{ ...first, extra: 1 }]),
      "undocumented-field",
      "body[0].extra",
    ],
    [
      "a field deep inside",
      edited(combined, ([first]: [object]) => [{ ...first, metadata: { extra: 1 } }]),
      "undocumented-field",
      "body[0].metadata.extra",
    ],
    [
      "a field that is missing",
      edited(combined, ([{ id: _id, ...rest }]: [{ id: string }]) => [rest]),
      "invalid-body",
      "body[0]",
    ],
    [
      "an instant of a wrong form",
      edited(combined, ([first]: [object]) => [{ ...first, created_on: "yesterday" }]),
      "invalid-body",
      "body[0].created_on",
    ],
    [
      "another trace id in the body",
      withTrace(refused, "00000000-0000-4000-8000-000000000000"),
      "inconsistent",
      "body.meta.trace_id",
    ],
    [
      "another code in the body",
      edited(refused, (body: { errors: object[] }) => ({
        ...body,
        errors: [{ code: 500, message: "" }],
      })),
      "inconsistent",
      "body.errors[0].code",
    ],
    [
      "a failure without an error",
      edited(refused, (body: object) => ({ ...body, errors: [] })),
      "inconsistent",
      "body.errors",
    ],
  ])("%s", (_what, response, kind, at) => {
    const findings = conformance.check(response);
    expect(findings).toContainEqual(expect.objectContaining({ kind, at }));
  });
});

const withTrace = (response: CheckedResponse, trace: string): CheckedResponse => ({
  ...response,
  headers: { ...response.headers, "x-trace-id": trace },
});

describe("the Envelope representation", () => {
  const bare = documented(operationOf("indicator.search.v1"), 200);
  const meta = { query_time: 0.1, powered_by: "security-platform", trace_id: traceId };
  const envelope = (body: object): CheckedResponse => ({
    ...bare,
    headers: { ...bare.headers, "content-type": envelopeMediaType },
    body: JSON.stringify(body),
  });
  const whole = { meta, resources: JSON.parse(bare.body) as unknown, errors: [] };

  test("contains the same data as the default representation", () => {
    expect(kinds(envelope(whole))).toEqual([]);
    expect(kinds(envelope({ ...whole, resources: [7] }))).toEqual(["invalid-body"]);
    expect(kinds(envelope({ ...whole, extra: 1 }))).toEqual(["undocumented-field"]);
    expect(kinds(envelope({ meta, errors: [] }))).toEqual(["invalid-body"]);
  });

  test("is required if it was requested, and an error otherwise", () => {
    expect(kinds({ ...bare, envelope: true })).toEqual(["undocumented-content-type"]);
    expect(kinds({ ...envelope(whole), envelope: false })).toEqual(["undocumented-content-type"]);
  });
});

describe("URLs outside the operations", () => {
  const body = documented(operationOf("indicator.search.v1"), 400).body;
  const error = (method: string, url: string, status: number, text = body): CheckedResponse => ({
    method,
    url,
    status,
    headers: { "content-type": "application/json", "x-trace-id": traceId },
    body: text.replaceAll('"code":400', `"code":${status}`),
  });

  test("errors that any URL can return must be Envelopes", () => {
    expect(kinds(error("GET", "/nowhere", 404))).toEqual([]);
    expect(kinds(error("GET", "/nowhere", 404, "{}"))).toContain("invalid-body");
    expect(kinds(error("PUT", "http://host/base/oauth2/token?x=1", 405))).toEqual([]);
    expect(kinds(error("PUT", "/oauth2/token", 200))).toEqual(["undocumented-status"]);
  });

  test("other pages are not checked", () => {
    expect(
      kinds({ method: "GET", url: "/docs/", status: 200, headers: {}, body: "<html>" }),
    ).toEqual([]);
  });

  test("operations are found by method and URL", () => {
    const observed = {
      ...documented(operationOf("indicator.search.v1"), 200),
      operation: undefined,
    };
    const { operation: _none, ...response } = observed;
    expect(
      kinds({ ...response, method: "GET", url: "http://h/iocs/queries/indicators/v1?limit=1" }),
    ).toEqual([]);
    expect(
      kinds({ ...response, body: "{}", method: "GET", url: "/iocs/queries/indicators/v1" }),
    ).toEqual(["invalid-body"]);
  });
});

test("a response to HEAD with a body is a finding", () => {
  const head = documented(operationOf("HeadImageScanInventory"), 401);
  expect(kinds({ ...head, body: "{}" })).toEqual(["invalid-body"]);
});

test("an unknown operation is a finding", () => {
  const response = { operation: { id: "nobody" }, status: 200, headers: {}, body: "" };
  expect(kinds(response)).toEqual(["undocumented-status"]);
});

test("headers of a proxy can be allowed", () => {
  const lenient = createConformance(contract, { allowHeaders: ["Via"] });
  const response = documented(operationOf("indicator.search.v1"), 200);
  expect(lenient.check({ ...response, headers: { ...response.headers, via: "1.1 p" } })).toEqual(
    [],
  );
});

test("every format of the document is checked", () => {
  const parameters = contract.operations.map((operation) => operation.parameters);
  const schemas = [contract.schemas, parameters.flat().map(({ schema }) => schema)];
  const formats = new Set(JSON.stringify(schemas).match(/"format":"[^"]+"/g));
  for (const format of formats) {
    const name = format.slice('"format":"'.length, -1);
    expect(conformance.validators.knowsFormat(name), name).toBe(true);
  }
});

test("only the first response of an operation compiles its schemas", () => {
  const fresh = createConformance({ ...contract });
  const response = documented(operationOf("indicator.combined.v1"), 200);
  const checking = (times: number): number => {
    const before = process.cpuUsage();
    for (let time = 0; time < times; time += 1) fresh.check(response);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / times;
  };
  const first = checking(1);
  expect(first / checking(100)).toBeGreaterThan(5);
});
