import { describe, expect, it } from "vitest";
import { TestClock } from "../tests/support/test-clock.ts";
import { callWithToken, type Connection } from "./call.ts";
import { AuthenticationError } from "./errors.ts";
import { operationTable } from "./generated/operations.ts";
import type { Operation } from "./operation.ts";
import { TokenSource } from "./token-source.ts";
import type { TransportRequest } from "./transport.ts";

const upload: Operation = {
  ...operationTable["indicator.create.v1"],
  bodyType: "application/octet-stream",
};

function refuseFirst() {
  const sent: TransportRequest[] = [];
  const clock = new TestClock();
  const connection: Connection = {
    clock,
    timeoutMilliseconds: 1_000,
    headers: {},
    transport: async (request) => {
      sent.push(request);
      return { status: sent.length === 1 ? 401 : 201, headers: new Headers(), payload: [] };
    },
  };
  let granted = 0;
  const tokens = new TokenSource(async () => {
    granted += 1;
    return { accessToken: `token-${granted}`, expiresInSeconds: 1_799 };
  }, clock);
  const call = (body: unknown): Promise<unknown> =>
    callWithToken(connection, tokens, upload, { body }, {});
  const authorizations = (): unknown[] => sent.map(({ headers }) => headers["authorization"]);
  return { call, authorizations };
}

describe("callWithToken", () => {
  it("resends a body that can be read again", async () => {
    const { call, authorizations } = refuseFirst();
    await call(new Blob(["x"]));
    expect(authorizations()).toEqual(["Bearer token-1", "Bearer token-2"]);
  });

  it("sends a stream once, and uses the new token for the next call", async () => {
    const { call, authorizations } = refuseFirst();
    await expect(call(new Blob(["x"]).stream())).rejects.toBeInstanceOf(AuthenticationError);
    expect(authorizations()).toEqual(["Bearer token-1"]);
    await call(new Blob(["x"]).stream());
    expect(authorizations()).toEqual(["Bearer token-1", "Bearer token-2"]);
  });
});
