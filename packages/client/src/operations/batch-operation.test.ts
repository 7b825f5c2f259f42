import { expect, test } from "vitest";
import { start } from "../../tests/support/scripted-client.ts";
import { envelope } from "../../tests/support/scripted-server.ts";

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

test("rejects a size above the documented maximum before anything is sent", async () => {
  const { client, server } = start();
  const batches = client.ioc.createIndicators.inBatches(indicators, { size: 2_001 });
  await expect(batches.next()).rejects.toThrow(
    "indicator.create.v1: size must be 1 to 2000, not 2001",
  );
  expect(server.calls).toEqual([]);
});
