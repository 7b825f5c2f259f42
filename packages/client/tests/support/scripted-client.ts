import { expect } from "vitest";
import { createClient, type Client, type ClientOptions } from "../../src/index.ts";
import { ScriptedServer } from "./scripted-server.ts";
import { TestClock } from "./test-clock.ts";

export const clientId = "0123456789abcdef0123456789abcdef";
export const clientSecret = "s3cret+/&=%-that-nobody-may-ever-read-xx";

/** A client whose requests are all answered by a scripted server. */
export function start(options: Partial<ClientOptions> = {}): {
  readonly server: ScriptedServer;
  readonly clock: TestClock;
  readonly client: Client;
} {
  const server = new ScriptedServer();
  const clock = new TestClock();
  const baseUrl = "https://api.test/prefix/";
  const { fetch } = server;
  const client = createClient({ baseUrl, clientId, clientSecret, fetch, clock, ...options });
  return { server, clock, client };
}

/** The error of a call. */
export const failure = (call: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(call).then(
    () => expect.fail("the call succeeded"),
    (error: unknown) => error,
  );
