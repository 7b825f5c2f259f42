import { describe, expect, it } from "vitest";
import { TokenSource, type Grant } from "./token-source.ts";
import { TestClock } from "../tests/support/test-clock.ts";

/** A token operation that answers when the test says so. */
class TokenServer {
  readonly requests: PromiseWithResolvers<Grant>[] = [];

  readonly request = (): Promise<Grant> => {
    const request = Promise.withResolvers<Grant>();
    this.requests.push(request);
    return request.promise;
  };

  grant(index: number, expiresInSeconds = 1_799): void {
    this.requests[index]?.resolve({ accessToken: `token-${index}`, expiresInSeconds });
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

/** Lets everything run that waits for promises already settled. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("TokenSource", () => {
  it("asks once for a hundred callers", async () => {
    const server = new TokenServer();
    const tokens = new TokenSource(server.request, new TestClock());
    const calls = Array.from({ length: 100 }, () => tokens.get());
    expect(server.requests).toHaveLength(1);
    server.grant(0);
    expect(new Set(await Promise.all(calls))).toEqual(new Set(["token-0"]));
    expect(await tokens.get()).toBe("token-0");
    expect(server.requests).toHaveLength(1);
  });

  it("tells every waiting caller of a failure and keeps nothing of it", async () => {
    const server = new TokenServer();
    const tokens = new TokenSource(server.request, new TestClock());
    const calls = Promise.allSettled([tokens.get(), tokens.get()]);
    server.refuse(0);
    expect((await calls).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    const next = tokens.get();
    server.grant(1);
    expect(await next).toBe("token-1");
  });

  it("renews two minutes before the end, and serves the old token meanwhile", async () => {
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

  it("renews a short-lived token in the last tenth of its life", async () => {
    const { clock, server, tokens } = await withToken(60);
    clock.advance(53_999);
    await tokens.get();
    expect(server.requests).toHaveLength(1);
    clock.advance(1);
    expect(await tokens.get()).toBe("token-0");
    expect(server.requests).toHaveLength(2);
  });

  it("waits for a new token once the old one has expired, even when its renewal is under way", async () => {
    const { clock, server, tokens } = await withToken(1_799);
    clock.advance(1_700_000);
    expect(await tokens.get()).toBe("token-0");
    clock.advance(99_000);
    const late = tokens.get();
    expect(server.requests).toHaveLength(2);
    server.grant(1);
    expect(await late).toBe("token-1");
  });

  it("counts the life from before the request", async () => {
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

  it("serves the old token after an early renewal that failed, and pauses before the next", async () => {
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

  it("replaces a refused token once for all who were refused", async () => {
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

  it("gives its token away, even one that is still on its way", async () => {
    const { server, tokens } = await withToken();
    expect(await tokens.take()).toBe("token-0");
    expect(await tokens.take()).toBeUndefined();
    void tokens.get();
    const taken = tokens.take();
    server.grant(1);
    expect(await taken).toBe("token-1");
  });
});
