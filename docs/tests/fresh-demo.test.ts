import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { IndicatorReader } from "./support/indicators.ts";
import { docsFolder } from "./support/places.ts";
import { servePlatform, type Platform } from "./support/platform.ts";
import {
  failures,
  operationsInOrder,
  reads,
  sendSample,
  type Outcome,
  type Sender,
} from "./support/samples-of-pages.ts";

const folder = join(docsFolder, "generated/runs/fresh-demo");
// Only a database in memory can be reset.
const options =
  "--database sqlite::memory: --dev --no-docs --token-rate-limit 0 --rate-limit 0".split(" ");

describe("the samples of all operation pages, on a server that was just started", () => {
  let platform: Platform;

  beforeAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    platform = await servePlatform(folder, options);
  });

  afterAll(() => platform?.stop());

  const sender = async (): Promise<Sender> => {
    const { token } = await IndicatorReader.open(platform);
    return { url: platform.url, token };
  };

  const reset = async (): Promise<Sender> => {
    const response = await fetch(`${platform.url}/_control/reset`, { method: "POST" });
    expect(response.ok, await response.text()).toBe(true);
    return sender();
  };

  async function sendAll(to: Sender): Promise<readonly Outcome[]> {
    const outcomes: Outcome[] = [];
    for (const operation of operationsInOrder) outcomes.push(await sendSample(operation, to));
    return outcomes;
  }

  test("what reads finds records", async () => {
    const to = await sender();
    const sent = operationsInOrder.filter(reads).map((operation) => sendSample(operation, to));
    expect(failures(await Promise.all(sent))).toEqual([]);
  });

  test("all succeed in the order of reading, and again after a reset", async () => {
    expect(failures(await sendAll(await reset()))).toEqual([]);
    expect(failures(await sendAll(await reset()))).toEqual([]);
  });

  test("each change succeeds alone", { tags: ["exhaustive"] }, async () => {
    const outcomes: Outcome[] = [];
    for (const operation of operationsInOrder) {
      if (!reads(operation)) outcomes.push(await sendSample(operation, await reset()));
    }
    expect(failures(outcomes)).toEqual([]);
  });

  test("what reads still finds its records after all samples", async () => {
    const to = await reset();
    await sendAll(to);
    const again = operationsInOrder.filter(reads).map((operation) => sendSample(operation, to));
    expect(failures(await Promise.all(again))).toEqual([]);
  });

  test("every list has records", async () => {
    const { url, token } = await reset();
    const empty: string[] = [];
    for (const { id, method, path, parameters } of operationsInOrder) {
      const isList = method === "get" && /\/(?:queries|combined)\//.test(path);
      const needed = parameters.filter(({ required }) => required);
      if (!isList || needed.some(({ example }) => example === undefined)) continue;
      const query = new URLSearchParams(
        needed.map(({ name, example }) => [name, String(example)] as [string, string]),
      );
      const response = await fetch(`${url}${path}?${query}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      const body: unknown = await response.json();
      const list = Array.isArray(body)
        ? body
        : ((body as { resources?: unknown[]; files?: unknown[] }).resources ??
          (body as { files?: unknown[] }).files ??
          []);
      if (list.length === 0) empty.push(id);
    }
    expect(empty).toEqual([]);
  });
});
