import { describe, expect, test } from "vitest";
import { TestClock } from "../../tests/support/test-clock.ts";
import { createIndicators } from "../generated/ioc.ts";
import { exchangeAnswer } from "./exchange.ts";
import { Pace, Slots } from "./limits.ts";
import type { SharedParts } from "./outgoing.ts";
import { mergeHeaders, type RequestBody, type TransportRequest } from "../wire/transport.ts";

/** A server that rejects the first token. */
function refuseFirst() {
  const sent: TransportRequest[] = [];
  const clock = new TestClock();
  const parts: SharedParts = {
    baseUrl: "https://api.test",
    send: async () => new Response(),
    clock,
    random: () => 0.5,
    hooks: {},
    slots: new Slots(1),
    pace: new Pace(clock),
    timeoutMilliseconds: 1_000,
    retries: 2,
    idempotencyKeys: true,
    retryWithinMilliseconds: 60_000,
    headers: {},
    transport: (request) => async () => {
      sent.push(request);
      return new Response("[]", { status: sent.length === 1 ? 401 : 201 });
    },
  };
  let token = 1;
  const authorization = {
    get: async () => `Bearer token-${token}`,
    discard: () => {
      token += 1;
      return true;
    },
  };
  const { descriptor } = createIndicators;
  const call = (body: RequestBody): Promise<unknown> => {
    const { method, path } = descriptor;
    const request = { method, path, pathParameters: {}, query: {}, headers: {}, body };
    return exchangeAnswer(parts, { descriptor, request, options: {}, authorization });
  };
  const authorizations = (): unknown[] =>
    sent.map(({ headers }) => new Headers(mergeHeaders(headers)).get("authorization"));
  return { call, authorizations };
}

describe("a rejected token", () => {
  test("is replaced, and a body that can be read again is sent again", async () => {
    const { call, authorizations } = refuseFirst();
    await call(new Blob(["x"]));
    expect(authorizations()).toEqual(["Bearer token-1", "Bearer token-2"]);
  });
});
