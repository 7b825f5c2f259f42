import { describe, expect, test } from "vitest";
import { TokenSource, type Grant } from "./token-source.ts";
import { TestClock } from "../../tests/support/test-clock.ts";

/** A token operation that responds when the test decides. */
class TokenServer {
  readonly requests: PromiseWithResolvers<Grant>[] = [];

  readonly request = (): Promise<Grant> => {
    const request = Promise.withResolvers<Grant>();
    this.requests.push(request);
    return request.promise;
  };

  grant(index: number, expiresInSeconds = 1_799): void {
    this.requests[index]?.resolve({ authorization: `token-${index}`, expiresInSeconds });
  }

  refuse(index: number): void {
    this.requests[index]?.reject(new Error(`refused ${index}`));
  }
}

async function withToken(expiresInSeconds?: number) {
  const clock = new TestClock();
  const server = new TokenServer();
  const tokens = new TokenSource(server.request, clock);
  const first = tokens.get();
  server.grant(0, expiresInSeconds);
  await first;
  return { clock, server, tokens };
}

/** Runs all code that waits for settled promises. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("TokenSource", () => {
  test("sends one request for a hundred callers", async () => {
    const server = new TokenServer();
    const tokens = new TokenSource(server.request, new TestClock());
    const calls = Array.from({ length: 100 }, () => tokens.get());
    expect(server.requests).toHaveLength(1);
    server.grant(0);
    expect(new Set(await Promise.all(calls))).toEqual(new Set(["token-0"]));
    expect(await tokens.get()).toBe("token-0");
    expect(server.requests).toHaveLength(1);
  });

  test("reports a failure to every waiting caller and does not cache it", async () => {
    const server = new TokenServer();
    const tokens = new TokenSource(server.request, new TestClock());
    const calls = Promise.allSettled([tokens.get(), tokens.get()]);
    server.refuse(0);
    expect((await calls).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    const next = tokens.get();
    server.grant(1);
    expect(await next).toBe("token-1");
  });

  test("renews two minutes before expiry, and uses the old token meanwhile", async () => {
    const { clock, server, tokens } = await withToken(1_799);
    clock.advance(1_678_999);
    expect(await tokens.get()).toBe("token-0");
    expect(server.requests).toHaveLength(1);
    clock.advance(1);
    expect(await Promise.all([tokens.get(), tokens.get()])).toEqual(["token-0", "token-0"]);
    expect(server.requests).toHaveLength(2);
    server.grant(1);
    await settled();
    expect(await tokens.get()).toBe("token-1");
    expect(server.requests).toHaveLength(2);
  });

  test("renews a short-lived token in the last tenth of its lifetime", async () => {
    const { clock, server, tokens } = await withToken(60);
    clock.advance(53_999);
    await tokens.get();
    expect(server.requests).toHaveLength(1);
    clock.advance(1);
    expect(await tokens.get()).toBe("token-0");
    expect(server.requests).toHaveLength(2);
  });

  test("waits for a new token after the old one has expired, even during its renewal", async () => {
    const { clock, server, tokens } = await withToken(1_799);
    clock.advance(1_700_000);
    expect(await tokens.get()).toBe("token-0");
    clock.advance(99_000);
    const late = tokens.get();
    expect(server.requests).toHaveLength(2);
    server.grant(1);
    expect(await late).toBe("token-1");
  });

  test("measures the lifetime from before the request", async () => {
    const clock = new TestClock();
    const server = new TokenServer();
    const tokens = new TokenSource(server.request, clock);
    const first = tokens.get();
    clock.advance(1_000);
    server.grant(0, 10);
    await first;
    clock.advance(9_000);
    const second = tokens.get();
    expect(server.requests).toHaveLength(2);
    server.grant(1);
    expect(await second).toBe("token-1");
  });

  test("uses the old token after a failed early renewal, and pauses before the next attempt", async () => {
    const { clock, server, tokens } = await withToken(1_799);
    clock.advance(1_700_000);
    await tokens.get();
    server.refuse(1);
    await settled();
    expect(await tokens.get()).toBe("token-0");
    expect(server.requests).toHaveLength(2);
    clock.advance(10_000);
    expect(await tokens.get()).toBe("token-0");
    expect(server.requests).toHaveLength(3);
  });

  test("replaces a rejected token once for all affected callers", async () => {
    const { server, tokens } = await withToken();
    tokens.discard("token-0");
    const first = tokens.get();
    tokens.discard("token-0");
    const second = tokens.get();
    server.grant(1);
    expect(await Promise.all([first, second])).toEqual(["token-1", "token-1"]);
    tokens.discard("token-0");
    expect(await tokens.get()).toBe("token-1");
    expect(server.requests).toHaveLength(2);
  });

  test("releases its token, even one that is still being requested", async () => {
    const { server, tokens } = await withToken();
    expect(await tokens.take()).toEqual(["token-0"]);
    expect(await tokens.take()).toEqual([]);
    void tokens.get();
    const release = tokens.take();
    server.grant(1);
    expect(await release).toEqual(["token-1"]);
  });
});
