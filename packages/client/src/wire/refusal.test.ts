import { describe, expect, test } from "vitest";
import { effectiveStatus, readResponse, type Received } from "./answer.ts";
import { TestClock } from "../../tests/support/test-clock.ts";
import * as errors from "../errors.ts";
import { failedOperation } from "./errors.ts";
import * as ioc from "../generated/ioc.ts";
import * as oauth2 from "../generated/oauth2.ts";
import type { Descriptor } from "./descriptor.ts";
import { refusalError } from "./refusal.ts";

const get: Descriptor = ioc.getIndicators.descriptor;
const revoke: Descriptor = oauth2.revokeToken.descriptor;
const clock = new TestClock();

function response(
  status: number,
  payload?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Received {
  return { response: readResponse({ status, headers: new Headers(headers) }), payload };
}

const refused = (...parts: Parameters<typeof response>): errors.CallError =>
  refusalError(get, response(...parts), clock, failedOperation(get));

describe("refusalError", () => {
  test.each([
    [400, errors.InvalidRequestError, "InvalidRequestError"],
    [401, errors.AuthenticationError, "AuthenticationError"],
    [403, errors.PermissionError, "PermissionError"],
    [404, errors.NotFoundError, "NotFoundError"],
    [409, errors.ConflictError, "ConflictError"],
    [413, errors.ApiError, "ApiError"],
    [429, errors.RateLimitError, "RateLimitError"],
    [500, errors.ServerError, "ServerError"],
    [503, errors.ServerError, "ServerError"],
    [507, errors.StorageFullError, "StorageFullError"],
  ])("turns %i into a %o", (status, type, name) => {
    const error = refused(status, { errors: [{ code: status, message: "m" }] });
    expect(error).toBeInstanceOf(type);
    expect(error).toBeInstanceOf(errors.ApiError);
    expect(error).toMatchObject({ name, status, operationId: "indicator.get.v1" });
  });

  test("contains everything that the server sent", () => {
    const entries = [
      { code: 400, message: "query.ids: too short", id: "a" },
      { code: 400, message: "query.ids: no hexadecimal digits" },
    ];
    const headers = {
      "x-trace-id": "trace",
      "x-ratelimit-limit": "10",
      "x-ratelimit-remaining": "0",
    };
    const error = refused(400, { errors: entries }, headers);
    expect(error).toMatchObject({
      errors: entries,
      traceId: "trace",
      rateLimit: { limit: 10, remaining: 0 },
      retryAfterSeconds: undefined,
      message:
        "indicator.get.v1 (GET /iocs/entities/indicators/v1) failed with status 400: " +
        "query.ids: too short (and 1 more); trace id trace",
    });
  });

  test("keeps the records that exist", () => {
    const payload = { errors: [{ code: 404, message: "m", id: "b" }], resources: [{ id: "a" }] };
    const error: unknown = refused(404, payload);
    expect(error).toMatchObject({ found: [{ id: "a" }], errors: [{ id: "b" }], missing: ["b"] });
    const method = { operationId: "indicator.get.v1" } as const;
    expect(errors.isNotFound(error, method)).toBe(true);
    expect(errors.isNotFound(error, { operationId: "action.get.v1" })).toBe(false);
    expect(errors.isNotFound(new Error("no"), method)).toBe(false);
    expect(refused(404, { errors: [] })).toMatchObject({ found: [] });
  });

  test.each([
    [
      'Bearer realm="r", error="insufficient_scope", scope="ioc-management:write"',
      "ioc-management:write",
    ],
    ['Bearer realm="r", scope="x"', undefined],
    ["", undefined],
  ])("reads the missing scope of %j", (challenge, missingScope) => {
    expect(refused(403, undefined, { "www-authenticate": challenge })).toMatchObject({
      missingScope,
    });
  });

  test.each([
    [{ "retry-after": "17" }, 17],
    [{ "retry-after": "1.5" }, 2],
    [{ "retry-after": "17", "x-ratelimit-retryafter": "1772366500" }, 17],
    [{ "x-ratelimit-retryafter": "1772366430" }, 30],
    [{ "retry-after": "Sun, 01 Mar 2026 12:00:05 GMT" }, 5],
    [{ "retry-after": "Sun, 01 Mar 2026 11:00:00 GMT" }, 0],
    [{ "retry-after": "Sunday, 01-Mar-26 12:00:05 GMT" }, 5],
    [{ "retry-after": "Sun Mar  1 12:00:05 2026" }, 5],
    [{ "retry-after": "1772366430", "x-ratelimit-retryafter": "1772366430" }, 1_772_366_430],
    [{ "retry-after": "soon" }, undefined],
    [{ "retry-after": "" }, undefined],
    [{ "retry-after": "5 s" }, undefined],
    [{ "retry-after": "5, 6" }, undefined],
    [{ "retry-after": "-5" }, undefined],
    [{ "retry-after": "1e3" }, undefined],
    [{ "retry-after": "Infinity" }, undefined],
    [{ "retry-after": "March 2027" }, undefined],
    [{ "retry-after": "tomorrow 5" }, undefined],
    [{ "retry-after": "2026-03-01" }, undefined],
    [{ "retry-after": "2026-03-01T12:00:05Z" }, undefined],
    [{ "retry-after": "soon", "x-ratelimit-retryafter": "1772366430" }, 30],
    [{ "x-ratelimit-retryafter": "1772366430 s" }, undefined],
    [{}, undefined],
  ])("reads how long to wait from %j", (headers, seconds) => {
    expect(refused(429, undefined, headers)).toMatchObject({ retryAfterSeconds: seconds });
  });

  test("describes a response that is not an Envelope", () => {
    expect(refused(502, "<html>", { "content-type": "text/html" })).toMatchObject({
      name: "ServerError",
      errors: [
        {
          code: 502,
          message: "text/html, expected: envelope; a proxy or another API may have responded",
        },
      ],
    });
    expect(refused(500)).toMatchObject({ errors: [{ code: 500, message: "no reason" }] });
    expect(refused(500, { errors: ["x", { code: "1", message: 2 }] })).toMatchObject({
      errors: [{ code: 500 }],
    });
  });

  test.each([
    [
      302,
      { location: "https://login.test/?secret=1" },
      "a redirect to https://login.test/, not followed; check baseUrl (status 302)",
    ],
    [0, {}, "a redirect, not followed; check baseUrl (status 0)"],
  ])("does not follow a redirect: %i", (status, headers, message) => {
    const error = refused(status, undefined, headers);
    expect(error).toBeInstanceOf(errors.UnexpectedResponseError);
    expect(error.message).toContain(message);
    expect(error.message).not.toContain("secret");
  });
});

describe("effectiveStatus", () => {
  const withErrors = { meta: {}, resources: [], errors: [{ code: 404, message: "not found" }] };
  const type = { "content-type": "application/vnd.security-platform.envelope+json" };

  test("treats a success with errors as a failure", () => {
    expect(effectiveStatus(revoke, response(200, withErrors))).toBe(404);
    expect(effectiveStatus(get, response(200, withErrors, type))).toBe(404);
    const odd = { errors: [{ code: 7, message: "m" }] };
    expect(effectiveStatus(revoke, response(200, odd))).toBe(500);
    expect(
      refusalError(get, response(200, withErrors, type), clock, failedOperation(get)),
    ).toBeInstanceOf(errors.NotFoundError);
  });

  test("does not change other responses", () => {
    expect(effectiveStatus(revoke, response(200, { meta: {}, errors: [] }))).toBe(200);
    expect(effectiveStatus(get, response(200, { errors: [{ code: 404, message: "m" }] }))).toBe(
      200,
    );
    expect(effectiveStatus(get, response(503, withErrors, type))).toBe(503);
  });
});
