import { expect, test } from "vitest";
import { failure, start } from "../../tests/support/scripted-client.ts";
import { envelope } from "../../tests/support/scripted-server.ts";
import { filters } from "../generated/collections.ts";

const indicators = Array.from({ length: 5 }, (_, at) => ({
  type: "domain" as const,
  value: `${at}.example.com`,
  action: "detect" as const,
  platforms: ["linux" as const],
  applied_globally: true,
}));

const sent = (body: string): readonly string[] =>
  (JSON.parse(body) as { indicators: { value: string }[] }).indicators.map(({ value }) => value);

test("sends entries in batches and tells which of them were refused", async () => {
  const { client, server } = start();
  server.answer = ({ body }) =>
    sent(body).includes("2.example.com") ? envelope(400, "refused") : { status: 201, body: [] };
  const seen: unknown[] = [];
  const options = { size: 2, concurrency: 2, input: { ignore_warnings: true } };
  for await (const batch of client.ioc.createIndicators.inBatches(indicators, options)) {
    seen.push([batch.from, batch.to, batch.error?.name]);
  }
  expect(seen).toEqual([
    [0, 2, undefined],
    [2, 4, "InvalidRequestError"],
    [4, 5, undefined],
  ]);
  expect(server.calls.every(({ url }) => url.endsWith("?ignore_warnings=true"))).toBe(true);
});

test("resumes at an index of the input and stops reading it when the loop ends", async () => {
  const { client, server } = start();
  let read = 0;
  const source = (async function* () {
    for (const indicator of indicators) {
      read += 1;
      yield indicator;
    }
  })();
  for await (const batch of client.ioc.createIndicators.inBatches(source, { size: 2, from: 1 })) {
    expect(batch).toMatchObject({ from: 1, to: 3 });
    break;
  }
  expect(read).toBe(3);
  expect(server.calls.map(({ body }) => sent(body))).toEqual([["1.example.com", "2.example.com"]]);
});

test("gives the results of all batches that were sent before the input failed", async () => {
  const { client, server } = start();
  server.answer = () => ({ status: 201, body: [] });
  const source = (function* () {
    yield* indicators;
    throw new Error("the source is broken");
  })();
  const seen: unknown[] = [];
  const read = async (): Promise<void> => {
    const options = { size: 2, concurrency: 3 };
    for await (const { from, to } of client.ioc.createIndicators.inBatches(source, options)) {
      seen.push([from, to]);
    }
  };
  await expect(read()).rejects.toThrow("the source is broken");
  expect(seen).toEqual([
    [0, 2],
    [2, 4],
  ]);
  expect(server.calls).toHaveLength(2);
});

test("sends each batch with a key of its own, which follows from the given one", async () => {
  const { client, server } = start();
  const options = { size: 2, idempotencyKey: "import-7" };
  for await (const { error } of client.ioc.createIndicators.inBatches(indicators, options)) {
    expect(error).toBeUndefined();
  }
  const keys = server.calls.map(({ headers }) => headers.get("idempotency-key"));
  expect(keys).toEqual(["import-7-0", "import-7-2", "import-7-4"]);
});

test("sends filter trees as text, in the plain call and in batches", async () => {
  const { client, server } = start();
  const { createHostGroups, updateHostGroups } = client.companion;
  const assignment_rule = filters.hosts.where("platform_name").equals("Windows");
  const created = [{ name: "a", group_type: "dynamic" as const, assignment_rule }];
  const updated = [{ id: "7d0c4a9be1f24c36a58b9d1e2f304152", assignment_rule }];
  await createHostGroups({ body: { resources: created } });
  await updateHostGroups({ body: { resources: updated } });
  for await (const { error } of createHostGroups.inBatches(created)) expect(error).toBeUndefined();
  for await (const { error } of updateHostGroups.inBatches(updated)) expect(error).toBeUndefined();
  const rules = server.calls.map(
    ({ body }) => (JSON.parse(body) as { resources: typeof updated }).resources[0]?.assignment_rule,
  );
  expect(rules).toEqual(Array.from({ length: 4 }, () => "platform_name:'Windows'"));
});

test("sends no key twice if none is given", async () => {
  const { client, server } = start();
  for (const run of [1, 2]) {
    for await (const { error } of client.ioc.createIndicators.inBatches(indicators, { size: 2 })) {
      expect(error, `${run}`).toBeUndefined();
    }
  }
  const keys = server.calls.map(({ headers }) => headers.get("idempotency-key"));
  expect(keys).not.toContain(null);
  expect(new Set(keys).size).toBe(6);
});

test("sends as many batches at a time as it is told, and one by default", async () => {
  for (const concurrency of [undefined, 1, 2]) {
    const { client, server } = start();
    const open = Promise.withResolvers<void>();
    server.answer = async () => {
      await open.promise;
      return { body: [] };
    };
    const options = { size: 1, concurrency };
    const first = client.ioc.createIndicators.inBatches(indicators, options).next();
    await expect.poll(() => server.calls.length).toBe(concurrency ?? 1);
    open.resolve();
    expect(await first).toMatchObject({ value: { from: 0, to: 1 } });
    expect(server.calls).toHaveLength(concurrency ?? 1);
  }
});

test("an input that fails during a request is an error of the loop alone", async () => {
  const { client, server } = start();
  const unhandled: unknown[] = [];
  const note = (error: unknown): void => void unhandled.push(error);
  process.on("unhandledRejection", note);
  const open = Promise.withResolvers<void>();
  server.answer = async () => {
    await open.promise;
    return { body: [] };
  };
  const broken = new Error("the source is broken");
  const source = (function* () {
    yield* indicators.slice(0, 1);
    throw broken;
  })();
  const batches = client.ioc.createIndicators.inBatches(source, { size: 1, concurrency: 3 });
  const first = batches.next();
  await expect.poll(() => server.calls.length).toBe(1);
  await new Promise((resolve) => setImmediate(resolve));
  open.resolve();
  expect(await first).toMatchObject({ value: { from: 0, to: 1, data: [] } });
  expect(await failure(batches.next())).toBe(broken);
  process.off("unhandledRejection", note);
  expect(unhandled).toEqual([]);
});

test("an entry that cannot be sent ends the loop, for it is no answer of the server", async () => {
  const { client, server } = start();
  const ids = ["a", {}, "b"] as unknown as readonly string[];
  const seen: unknown[] = [];
  const read = async (): Promise<void> => {
    for await (const { from } of client.ioc.deleteIndicators.inBatches(ids, { size: 1 })) {
      seen.push(from);
    }
  };
  await expect(read()).rejects.toThrow(TypeError);
  expect(seen).toEqual([0]);
  expect(server.calls).toHaveLength(1);
});

test.each([
  [{ size: 2_001 }, "size must be 1 to 2000, not 2001"],
  [{ size: 0 }, "size must be 1 to 2000, not 0"],
  [{ size: -1 }, "size must be 1 to 2000, not -1"],
  [{ size: 1.5 }, "size must be 1 to 2000, not 1.5"],
  [{ size: Number.NaN }, "size must be 1 to 2000, not NaN"],
  [{ concurrency: 0 }, "concurrency must be 1 to Infinity, not 0"],
  [{ concurrency: 1.5 }, "concurrency must be 1 to Infinity, not 1.5"],
  [{ from: -1 }, "from must be 0 to Infinity, not -1"],
  [{ from: 0.5 }, "from must be 0 to Infinity, not 0.5"],
] as const)("rejects %o before anything is sent", async (options, message) => {
  const { client, server } = start();
  const batches = client.ioc.createIndicators.inBatches(indicators, options);
  expect(String(await failure(batches.next()))).toBe(`RangeError: indicator.create.v1: ${message}`);
  expect(server.calls).toEqual([]);
});
