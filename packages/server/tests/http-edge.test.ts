import { once } from "node:events";
import { connect } from "node:net";
import { document } from "@security-platform/spec";
import { describe, expect, test } from "vitest";
import { addressKey } from "../src/http/requests/client-address.ts";
import { exposedHeaders } from "../src/http/cors.ts";
import { isLoopbackHost, isLoopbackOrigin } from "../src/http/loopback.ts";
import { keysKept, WindowCounter } from "../src/limits/window.ts";
import { startTestApi, type TestApi, type TestApiOptions } from "./support/api.ts";
import { forEachEngine } from "./support/engines.ts";
import { sendRaw, sendTarget } from "./support/raw-request.ts";
import { startSmallApp } from "./support/small-app.ts";

const list = "/iocs/queries/platforms/v1";
const start = (options: Omit<TestApiOptions, "databaseUrl"> = {}): Promise<TestApi> =>
  startTestApi({ databaseUrl: "sqlite::memory:", ...options });

describe("client addresses", () => {
  test.each([
    ["192.0.2.7", "192.0.2.7"],
    ["192.0.2.7:4711", "192.0.2.7"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
    ["::FFFF:c000:0207", "192.0.2.7"],
    ["0:0:0:0:0:ffff:192.0.2.7", "192.0.2.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:0DB8:0001:0002::ffff", "2001:db8:1:2::/64"],
    ["[2001:db8:1:2::1]:443", "2001:db8:1:2::/64"],
    ["2001:db8:1:3::1", "2001:db8:1:3::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["nonsense", "unknown"],
    ["", "unknown"],
  ])("%s counts as %s", (address, key) => {
    expect(addressKey(address)).toBe(key);
  });

  test("a clock that was set back keeps no caller waiting for longer than a window", () => {
    const counter = new WindowCounter(1);
    const taken = [1_000_000, 1_000_000, 0].map((now) => counter.take("a", now).allowed);
    expect(taken).toEqual([true, false, true]);
  });

  test("counters have a limited number of keys, and an expired window starts again", () => {
    const counter = new WindowCounter(1);
    const last = String(keysKept + 1_000);
    for (let key = 0; key <= Number(last); key += 1) counter.take(String(key), 0);
    expect(counter.size).toBe(keysKept);
    expect(counter.take(last, 1).allowed).toBe(false);
    expect(counter.take(last, 60_000).allowed).toBe(true);
    for (let key = 0; key < keysKept; key += 1) counter.take(`later ${key}`, 60_000);
    expect(counter.take(last, 60_000).allowed).toBe(true);
  });
});

describe("behind proxies", () => {
  const limits = { failedAuthenticationsPerMinute: 2 };
  const guess = async (api: TestApi, forwarded: string): Promise<number> =>
    (
      await api.request("GET", list, {
        token: "guess",
        headers: { "x-forwarded-for": forwarded },
      })
    ).status;

  test("forwarded headers are ignored without the option", async () => {
    const api = await start({ limits });
    const statuses = [];
    for (const address of ["192.0.2.1", "192.0.2.2", "192.0.2.3"]) {
      statuses.push(await guess(api, address));
    }
    expect(statuses).toEqual([401, 401, 429]);
  });

  test("addresses are read from the right, through trusted proxies only", async () => {
    const api = await start({
      limits,
      config: { trustedProxies: ["127.0.0.0/8", "10.0.0.0/8", "::1"] },
    });
    const attacker = "203.0.113.9";
    expect(await guess(api, attacker)).toBe(401);
    // The caller's own header value is left of its address.
    expect(await guess(api, `198.51.100.1, ${attacker}, 10.1.1.1`)).toBe(401);
    expect(await guess(api, `198.51.100.2, nonsense, ${attacker}`)).toBe(429);
    expect(await guess(api, `${attacker}, 198.51.100.3`)).toBe(401);
    expect(await guess(api, "2001:db8::1")).toBe(401);
    expect(await guess(api, "2001:db8::2, 10.0.0.1")).toBe(401);
    expect(await guess(api, "2001:db8::3")).toBe(429);
    expect(await guess(api, "2001:db8:0:1::3")).toBe(401);
  });

  test("links use the host and scheme of a trusted proxy", async () => {
    const origins: string[] = [];
    const operation = {
      handle: ({ origin }: { readonly origin: string }) => {
        origins.push(origin);
        return { kind: "records" as const, records: [] };
      },
    };
    const headers = { "x-forwarded-host": "api.example:8443", "x-forwarded-proto": "https" };
    for (const trustedProxies of [["127.0.0.1"], ["192.0.2.1"]]) {
      const { url } = await startSmallApp({ read: operation }, { config: { trustedProxies } });
      await sendTarget(url, "/read", { headers });
      await sendTarget(url, "/read", {
        headers: { "x-forwarded-host": "a b/../c", "x-forwarded-proto": "javascript" },
      });
      expect(origins.splice(0)).toEqual(
        trustedProxies[0] === "127.0.0.1"
          ? ["https://api.example:8443", "http://127.0.0.1:0"]
          : [url, url],
      );
    }
  });
});

forEachEngine((engine) => {
  test("readiness depends on the database only, not on the limits", async () => {
    const api = await startTestApi({
      databaseUrl: await engine.url(),
      limits: { requestsPerMinute: 1, overloadMilliseconds: 1 },
    });
    for (const path of ["/healthz", "/readyz", "/readyz", "/healthz?from=balancer"]) {
      const answer = await api.request<{ errors: unknown[] }>("GET", path, { token: null });
      expect([path, answer.status, answer.body.errors]).toEqual([path, 200, []]);
      expect((await fetch(api.url + path, { method: "HEAD" })).status).toBe(200);
    }
  });
});

describe("health", () => {
  test("without a database or its tables, the server is alive but not ready", async () => {
    const api = await start();
    const ready = () => api.request<{ errors: { message: string }[] }>("GET", "/readyz");
    Object.assign(api.store, { ready: async () => "outdated" });
    const unmigrated = await ready();
    expect(unmigrated.status).toBe(503);
    expect(unmigrated.headers.get("retry-after")).toBe("5");
    expect(unmigrated.body.errors[0]?.message).toContain("does not have the tables");
    Object.assign(api.store, { ready: () => Promise.reject(new Error("select secret")) });
    const away = await ready();
    expect(away.body.errors[0]?.message).toBe("the database does not respond");
    expect((await api.request("GET", "/healthz")).status).toBe(200);
  });

  test("a server that is stopping is not ready", async () => {
    let finish = (): void => undefined;
    let begun = (): void => undefined;
    const slow = new Promise<void>((resolve) => (finish = resolve));
    const started = new Promise<void>((resolve) => (begun = resolve));
    const operations = {
      slow: {
        handle: async () => {
          begun();
          await slow;
          return { kind: "records" as const, records: [] };
        },
      },
    };
    // `fetch` keeps its connection open this long.
    const limits = { idleMilliseconds: 100 };
    const { url, close } = await startSmallApp(operations, { limits });
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, "connect");
    // A connection in the middle of a request stays open while the server stops.
    socket.write("GET /readyz HTTP/1.1\r\nhost: x\r\n");
    const slowAnswer = fetch(`${url}/slow`);
    await started;
    const closed = close();
    socket.write("\r\n");
    const [text] = (await once(socket, "data")) as [Buffer];
    expect(text.toString()).toMatch(/^HTTP\/1\.1 503 [^]*the server is stopping/);
    finish();
    expect((await slowAnswer).status).toBe(200);
    socket.destroy();
    await closed;
  });
});

describe("connections", () => {
  const operations = {
    read: { handle: () => ({ kind: "records" as const, records: [] }) },
    write: {
      method: "post" as const,
      requestBody: { required: true, content: { "application/json": {} } },
      handle: () => ({ kind: "records" as const, records: [] }),
    },
  };

  test("an idle connection is closed, although its client sends line breaks", async () => {
    const { url } = await startSmallApp(operations, { limits: { idleMilliseconds: 200 } });
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.on("error", () => undefined);
    socket.write("GET /read HTTP/1.1\r\nhost: x\r\n\r\n");
    const [answer] = (await once(socket, "data")) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 /);
    const lines = setInterval(() => socket.write("\r\n"), 20);
    // The server may reset the connection, which `once` of `node:events` would take for a failure.
    await new Promise((resolve) => socket.once("close", resolve));
    clearInterval(lines);
  });

  test("a connection whose client sends requests stays open", async () => {
    const { url } = await startSmallApp(operations, { limits: { idleMilliseconds: 60 } });
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    for (let request = 0; request < 100; request += 1) {
      socket.write("GET /read HTTP/1.1\r\nhost: x\r\n\r\n");
      const [answer] = (await once(socket, "data")) as [Buffer];
      expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 /);
    }
    socket.destroy();
  });

  test("HTTP/1.0 with a transfer encoding is answered, and the connection is closed", async () => {
    const { url } = await startSmallApp(operations);
    const head = "POST /write HTTP/1.0\r\nhost: x\r\nconnection: keep-alive\r\n";
    const chunked = `${head}content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`;
    // `sendRaw` reads until the server closes the connection.
    const answer = await sendRaw(url, chunked + chunked);
    expect(answer.status).toBe(200);
    expect(answer.head.toLowerCase()).toContain("connection: close");
    expect(answer.body).not.toContain("HTTP/1.1");
  });
});

describe("pages from other origins", () => {
  const page = { origin: "https://console.example" };
  const preflight = {
    method: "OPTIONS",
    headers: {
      ...page,
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization,content-type",
    },
  };

  test("may call the server only if it allows them", async () => {
    const { url } = await start();
    const answer = await fetch(url + list, { headers: page });
    expect([...answer.headers.keys()].filter((name) => /^(access|vary)/.test(name))).toEqual([]);
    expect((await fetch(url + list, preflight)).status).toBe(405);
  });

  test("get a preflight response without a token, and may read every header of the document", async () => {
    const api = await start({ config: { corsOrigins: [page.origin, "loopback"] } });
    const preflightAnswer = await fetch(api.url + list, preflight);
    expect([preflightAnswer.status, preflightAnswer.headers.get("vary")]).toEqual([204, "Origin"]);
    expect(preflightAnswer.headers.get("access-control-allow-origin")).toBe(page.origin);
    expect(preflightAnswer.headers.get("access-control-allow-methods")).toContain("PATCH");
    expect(preflightAnswer.headers.get("access-control-allow-headers")).toBe(
      "authorization,content-type",
    );
    for (const token of [api.token, "wrong"]) {
      const answer = await api.request("GET", list, { headers: page, token });
      expect(answer.headers.get("access-control-allow-origin")).toBe(page.origin);
      expect(answer.headers.get("access-control-expose-headers")).toContain("X-Total-Count");
      expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
    }
    for (const origin of ["https://console.example.evil", "null", "http://localhost.evil"]) {
      const answer = await api.request("GET", list, { headers: { origin } });
      expect(answer.status).toBe(200);
      expect(answer.headers.get("vary")).toBe("Origin");
      expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    }
    const local = await api.request("GET", list, { headers: { origin: "http://localhost:5173" } });
    expect(local.headers.get("access-control-allow-origin")).toBe("http://localhost:5173");
  });

  test("from all origins get a star, and no Vary", async () => {
    const api = await start({ config: { corsOrigins: ["*"] } });
    const answer = await api.request("GET", "/nowhere", { headers: page });
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(answer.headers.get("vary")).toBeNull();
  });

  test("every header of the document is exposed", () => {
    // Browsers always show these to a page, or they concern only the browser.
    const shown = ["cache-control", "x-content-type-options"];
    const documented = new Set(
      [...JSON.stringify(document()).matchAll(/"headers":\{(.*?)\},"(?:content|description)"/g)]
        .flatMap(([, headers = ""]) => [...headers.matchAll(/"([A-Z][A-Za-z-]+)":\{"\$ref"/g)])
        .flatMap(([, name]) => (name === undefined ? [] : [name])),
    );
    expect(documented.size).toBeGreaterThan(8);
    expect([...documented].filter((name) => !shown.includes(name.toLowerCase()))).toEqual(
      [...documented].filter((name) => exposedHeaders.includes(name)),
    );
  });
});

describe("the development control plane", () => {
  test.each([
    [{ host: "attacker.example" }, 403],
    [{ host: "127.0.0.1.attacker.example" }, 403],
    [{ origin: "https://attacker.example" }, 403],
    [{ origin: "null" }, 403],
    [{ host: "localhost:8080", origin: "http://localhost:5173" }, 204],
    [{}, 204],
  ])("responds to %j with %i", async (headers, status) => {
    const api = await start({ config: { development: true } });
    const answer = await sendTarget(api.url, "/_control/faults", { method: "DELETE", headers });
    expect(answer.status).toBe(status);
  });

  test.each([
    ["localhost", true],
    ["app.localhost:80", true],
    ["127.8.9.1:80", true],
    ["[::1]:80", true],
    ["localhost.example", false],
    ["127.0.0.1.example", false],
    ["[::2]:80", false],
    ["", false],
  ])("treats %s as this machine: %s", (host, local) => {
    expect(isLoopbackHost(host)).toBe(local);
    expect(isLoopbackOrigin(`http://${host.replace(/:80$/, "")}`)).toBe(local);
  });
});
