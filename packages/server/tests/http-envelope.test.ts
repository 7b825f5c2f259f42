import { createConformance, platformContract } from "@security-platform/contract-tests";
import { compatQuirks, operations } from "@security-platform/spec";
import { describe, expect, test } from "vitest";
import { envelopeMediaType, represent } from "../src/http/responses/represent.ts";

const traceId = "7b1c9a52-4e1d-4f0a-9a53-2f6f0c8f5f10";
const conformance = createConformance(platformContract());

interface Shown {
  readonly meta: { readonly writes?: { readonly resources_affected: number } };
  readonly resources?: object;
}

/** Operations whose success is an Envelope, with the success that the document shows. */
const shown = operations()
  .filter(({ answer }) => answer === "envelope")
  .flatMap((operation) => {
    const success = operation.responses.find(({ status }) => status === operation.successStatus);
    const examples = Object.values(success?.content["application/json"]?.examples ?? {});
    return examples.map(({ value }) => ({ id: operation.id, operation, value: value as Shown }));
  });

describe.each([false, true])("in the Envelope representation: %s", (inEnvelope) => {
  test.each(shown)("$id responds as in the document", ({ operation, value }) => {
    const affected = value.meta.writes?.resources_affected;
    const { headers, body } = represent(
      {
        kind: "envelope",
        ...(affected === undefined ? {} : { affected }),
        ...(value.resources === undefined ? {} : { resources: value.resources }),
      },
      {
        envelope: inEnvelope,
        mediaType: inEnvelope ? envelopeMediaType : "application/json",
        quirks: compatQuirks(operation),
      },
      { traceId, elapsed: 1.5 },
      { url: operation.path, cursorParameter: "after" },
    );
    expect(JSON.parse(body)).toEqual({
      meta: {
        query_time: 0.0015,
        powered_by: "security-platform",
        trace_id: traceId,
        ...(affected === undefined ? {} : { writes: { resources_affected: affected } }),
      },
      resources: value.resources ?? [],
      errors: [],
    });
    const findings = conformance.check({
      operation,
      status: operation.successStatus,
      headers: {
        "x-trace-id": traceId,
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        ...(operation.deprecated ? { deprecation: "@1767225600", link: "</x>" } : {}),
        ...headers,
      },
      body,
      envelope: inEnvelope,
    });
    expect(findings).toEqual([]);
  });
});

test("such operations exist with and without resources", () => {
  const filled = shown.filter(
    ({ value: { resources } }) => Object.keys(resources ?? []).length > 0,
  );
  expect(filled.length).toBeGreaterThan(5);
  expect(shown.length - filled.length).toBeGreaterThan(5);
});
