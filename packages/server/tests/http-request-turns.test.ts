import { expect, test, vi, onTestFinished } from "vitest";
import { startSmallApp, type SmallApp, type SmallOperation } from "./support/small-app.ts";
import type { ServerLimits } from "../src/foundation/config.ts";

const nothing = { kind: "records" as const, records: [] };

/** An operation whose requests end when the test says so, and the names of those in work, in their order. */
function heldOperation(): {
  operation: SmallOperation;
  inWork: string[];
  end: (name: string) => void;
} {
  const inWork: string[] = [];
  const ends = new Map<string, () => void>();
  const operation: SmallOperation = {
    parameters: [{ name: "name", in: "query", required: true, schema: { type: "string" } }],
    handle: async ({ query }) => {
      const name = String(query["name"]);
      inWork.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
      return nothing;
    },
  };
  return { operation, inWork, end: (name) => ends.get(name)?.() };
}

const start = (
  operations: Readonly<Record<string, SmallOperation>>,
  limits: Partial<ServerLimits>,
): Promise<SmallApp> =>
  startSmallApp(operations, { limits, config: { trustedProxies: ["127.0.0.1"] } });

/** Callers without a token take turns by address. */
const from = (address: string) => ({ headers: { "x-forwarded-for": address } });

test("callers take turns, and one of them leaves room for another", async () => {
  const { operation, inWork, end } = heldOperation();
  const app = await start({ held: operation }, { requestsInWork: 3 });
  const send = async (address: string, name: string): Promise<number> =>
    (await fetch(`${app.url}/held?name=${name}`, from(address))).status;
  const many = ["a1", "a2", "a3", "a4"];
  const sent = [];
  for (const name of many.slice(0, 2)) {
    sent.push(send("192.0.2.1", name));
    await expect.poll(() => inWork).toContain(name);
  }
  const others = many.slice(2).map((name) => send("192.0.2.1", name));
  sent.push(...others, send("192.0.2.2", "b1"));
  await expect.poll(() => inWork).toContain("b1");
  expect(inWork).toEqual(["a1", "a2", "b1"]);
  // While all others are in work, health checks are answered.
  expect((await fetch(`${app.url}/healthz`)).status).toBe(200);
  expect((await fetch(`${app.url}/readyz`)).status).toBe(200);
  for (const name of ["a1", "a2", "b1", "a3", "a4"]) {
    await expect.poll(() => inWork).toContain(name);
    end(name);
  }
  expect(await Promise.all(sent)).toEqual(Array(5).fill(200));
});

test("a request beyond the number that may wait, and one that waits too long, get a 503", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const { operation, inWork, end } = heldOperation();
  const app = await start(
    { held: operation },
    { requestsInWork: 1, requestsWaiting: 1, waitMilliseconds: 1 },
  );
  const send = (name: string): Promise<Response> =>
    fetch(`${app.url}/held?name=${name}`, from("192.0.2.1"));
  const first = send("first");
  await expect.poll(() => inWork).toEqual(["first"]);
  const others = ["second", "third"].map(send);
  const refused = await Promise.race(others);
  expect(refused.status).toBe(503);
  expect(refused.headers.get("retry-after")).toBe("5");
  expect(await refused.text()).toContain(
    "too many requests wait for their turn; nothing was changed",
  );
  const late = Promise.all(others);
  const look = setTimeout(function again() {
    vi.advanceTimersByTime(250);
    look.refresh();
  }, 10);
  expect((await late).map(({ status }) => status)).toEqual([503, 503]);
  clearTimeout(look);
  end("first");
  expect((await first).status).toBe(200);
  expect(inWork).toEqual(["first"]);
});

test("long work has few places, and leaves the others to short work", async () => {
  const { operation, inWork, end } = heldOperation();
  const heavy = { ...operation, path: "/aggregates/held" };
  const light: SmallOperation = { handle: () => nothing };
  const app = await start({ heavy, light }, { requestsInWork: 2 });
  const send = (name: string): Promise<Response> =>
    fetch(`${app.url}/aggregates/held?name=${name}`, from("192.0.2.1"));
  const sent = [send("first"), send("second")];
  await expect.poll(() => inWork).toHaveLength(1);
  expect((await fetch(`${app.url}/light`, from("192.0.2.1"))).status).toBe(200);
  expect(inWork).toHaveLength(1);
  end(inWork[0] ?? "");
  await expect.poll(() => inWork).toHaveLength(2);
  for (const name of inWork) end(name);
  expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([200, 200]);
});

test("changes that wait for the disk leave the places of reads", async () => {
  const { operation, inWork, end } = heldOperation();
  const change: SmallOperation = { ...operation, method: "put" };
  const read: SmallOperation = { handle: () => nothing };
  const app = await start({ change, read }, { requestsInWork: 2 });
  const send = (address: string, name: string): Promise<Response> =>
    fetch(`${app.url}/change?name=${name}`, { method: "PUT", ...from(address) });
  const sent = [send("192.0.2.1", "first"), send("192.0.2.2", "second")];
  await expect.poll(() => inWork).toHaveLength(2);
  expect((await fetch(`${app.url}/read`, from("192.0.2.1"))).status).toBe(200);
  for (const name of inWork) end(name);
  expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([200, 200]);
});

test("a request that fails gives its place to the next", async () => {
  const fails: SmallOperation = {
    handle: () => {
      throw new Error("broken");
    },
  };
  const app = await start({ fails }, { requestsInWork: 1 });
  const statuses = await Promise.all(
    Array.from({ length: 5 }, async () => (await fetch(`${app.url}/fails`)).status),
  );
  expect(statuses).toEqual(Array(5).fill(500));
});
