/** @module-tag exhaustive */
import { checkedFetch } from "@security-platform/contract-tests";
import { expect, test } from "vitest";
import { forEachEngine } from "./support/engines.ts";
import { serve, temporaryFolder, type ServerProcess } from "./support/server-process.ts";

const creates = 200;
const concurrency = 24;
/** Number of acknowledged creates after which the server is killed. */
const kills = [50, 130];

const fetchChecked = checkedFetch(fetch);

/** One call, which creates two indicators or none. */
interface Create {
  readonly values: readonly [string, string];
  acknowledged: boolean;
}

forEachEngine((engine) => {
  test(`kill -9 in the middle of ${creates} creates loses none that was acknowledged, and halves none`, async () => {
    const folder = temporaryFolder();
    const databaseUrl = await engine.url();
    const calls = Array.from({ length: creates }, (_, index): Create => ({
      values: [`first${index}.example`, `second${index}.example`],
      acknowledged: false,
    }));
    for (const kill of [...kills, creates]) {
      const server = await serve({ folder, databaseUrl, words: ["--rate-limit", "0"] });
      const acknowledgedCount = calls.filter(({ acknowledged }) => acknowledged).length;
      await expectKept(server, calls);
      const left = calls.filter(({ acknowledged }) => !acknowledged);
      await createUntil(kill - acknowledgedCount, server, left);
      await server.end("SIGKILL");
    }
    const server = await serve({ folder, databaseUrl, words: ["--rate-limit", "0"] });
    await expectKept(server, calls);
    expect(calls.filter(({ acknowledged }) => !acknowledged)).toEqual([]);
  });
});

/** Sends concurrent calls until `target` of them are acknowledged; then the server is killed. */
async function createUntil(
  target: number,
  server: ServerProcess,
  calls: readonly Create[],
): Promise<void> {
  const waiting = [...calls];
  let acknowledged = 0;
  const work = async (): Promise<void> => {
    for (let call = waiting.shift(); call !== undefined; call = waiting.shift()) {
      const status = await create(server, call).catch(() => null);
      if (status === null) return;
      expect(status).toBe(201);
      call.acknowledged = true;
      acknowledged += 1;
      // Not awaited: the other calls are still in progress.
      if (acknowledged === target) void server.end("SIGKILL");
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
}

/** Resolves with the status; rejects if the server ends before it responds. */
async function create({ url, token }: ServerProcess, { values }: Create): Promise<number> {
  const indicators = values.map((value) => ({
    type: "domain",
    value,
    severity: "high",
    action: "detect",
    platforms: ["linux"],
    applied_globally: true,
  }));
  const response = await fetchChecked(`${url}/iocs/entities/indicators/v1`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ indicators }),
  });
  return response.status;
}

/**
 * Every acknowledged call is stored completely; the others completely or not at all. Calls that were
 * executed without a response count as acknowledged from here on.
 */
async function expectKept(server: ServerProcess, calls: readonly Create[]): Promise<void> {
  const stored = await valuesFound(server);
  const kept = ({ values }: Create): number => values.filter((value) => stored.has(value)).length;
  expect(calls.filter((call) => call.acknowledged && kept(call) !== 2)).toEqual([]);
  expect(calls.filter((call) => kept(call) === 1)).toEqual([]);
  for (const call of calls) call.acknowledged = kept(call) === 2;
}

/** All values on the server, page by page. */
async function valuesFound({ url, token }: ServerProcess): Promise<ReadonlySet<string>> {
  const values = new Set<string>();
  let after = "";
  do {
    const query = new URLSearchParams({
      filter: "value:*'*.example'",
      limit: "500",
      ...(after === "" ? {} : { after }),
    });
    const response = await fetchChecked(`${url}/iocs/combined/indicator/v1?${query}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(response.status).toBe(200);
    for (const { value } of (await response.json()) as readonly { value: string }[]) {
      values.add(value);
    }
    after = response.headers.get("x-pagination-after") ?? "";
  } while (after !== "");
  return values;
}
