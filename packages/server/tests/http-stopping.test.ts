import { once } from "node:events";
import { Agent, createServer, request as send, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { openTenant, runTestApi, type RunningApi } from "./support/api.ts";
import { forEachEngine } from "./support/engines.ts";
import { sendRequest } from "./support/send-request.ts";

const list = "/iocs/queries/platforms/v1";

/** A load balancer that asks its servers whether they are ready. It sends a request once, and to a ready server. */
async function startBalancer() {
  const ready = new Map<string, boolean>();
  /** The servers of the requests that have no answer yet. */
  const inProgress: string[] = [];
  const agent = new Agent({ keepAlive: true });
  let turn = 0;
  const end = new AbortController();
  const server = createServer((incoming, outgoing) => {
    const urls = [...ready].flatMap(([url, isReady]) => (isReady ? [url] : []));
    turn += 1;
    const url = urls[turn % urls.length] ?? "";
    const { connection: _connection, ...headers } = incoming.headers;
    const forwarded = send(`${url}${incoming.url}`, {
      agent,
      headers,
      method: incoming.method ?? "",
    });
    inProgress.push(url);
    forwarded.on("close", () => inProgress.splice(inProgress.indexOf(url), 1));
    forwarded.on("response", (answer: IncomingMessage) => {
      outgoing.writeHead(answer.statusCode ?? 0, { "content-type": "application/json" });
      answer.pipe(outgoing);
    });
    forwarded.on("error", (error) => outgoing.writeHead(502).end(String(error)));
    incoming.pipe(forwarded);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const look = async (): Promise<void> => {
    while (!end.signal.aborted) {
      for (const url of ready.keys()) {
        const status = await sendRequest(`${url}/readyz`, { method: "GET", headers: {} }).then(
          (answer) => answer.status,
          () => 0,
        );
        if (ready.has(url)) ready.set(url, status === 200);
      }
      await setImmediate();
    }
  };
  const looking = look();
  onTestFinished(async () => {
    end.abort();
    await looking;
    agent.destroy();
    server.close();
    server.closeAllConnections();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ready,
    inProgress,
  };
}

forEachEngine((engine) => {
  test("a restart of two servers, one after the other, loses no request", async () => {
    const databaseUrl = await engine.url();
    const balancer = await startBalancer();
    const patience = { timeout: 60_000, interval: 5 };
    const begin = async (): Promise<RunningApi> => {
      const running = await runTestApi({ databaseUrl });
      const { url } = running.api;
      balancer.ready.set(url, false);
      await vi.waitFor(() => expect(balancer.ready.get(url)).toBe(true), patience);
      return running;
    };
    const end = async ({ api, drain, stop }: RunningApi): Promise<void> => {
      drain();
      // In practice, the drain delay is long enough for both.
      await vi.waitFor(() => {
        expect(balancer.ready.get(api.url)).toBe(false);
        expect(balancer.inProgress).not.toContain(api.url);
      }, patience);
      balancer.ready.delete(api.url);
      await stop();
    };
    let servers = [await begin(), await begin()];
    onTestFinished(async () => {
      for (const { stop } of servers) await stop();
    });
    const [first] = servers;
    if (first === undefined) throw new Error("there are two servers");
    const { token } = await openTenant(first.api, "rolling");
    const statuses = new Map<number, number>();
    const restarted = new AbortController();
    const lane = async (): Promise<void> => {
      while (!restarted.signal.aborted) {
        const { status } = await sendRequest(balancer.url + list, {
          method: "GET",
          headers: { authorization: `Bearer ${token}` },
        });
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    };
    const lanes = Promise.all([lane(), lane(), lane(), lane()]);
    for (const old of servers) {
      await end(old);
      servers = [...servers.filter((each) => each !== old), await begin()];
    }
    restarted.abort();
    await lanes;
    expect([...statuses.keys()]).toEqual([200]);
  });

  test("a server that is about to stop answers, and asks its clients to leave", async () => {
    const { api, drain, stop } = await runTestApi({ databaseUrl: await engine.url() });
    onTestFinished(stop);
    const { request } = await openTenant(api, "leaving");
    expect((await request("GET", list)).headers.get("connection")).not.toBe("close");
    drain();
    const answer = await request("GET", list);
    expect([answer.status, answer.headers.get("connection")]).toEqual([200, "close"]);
    const ready = await request("GET", "/readyz", { token: null });
    expect([ready.status, ready.headers.get("connection")]).toEqual([503, "close"]);
    expect(ready.text).toContain("the server is stopping");
    expect((await request("GET", "/healthz", { token: null })).status).toBe(200);
  });
});
