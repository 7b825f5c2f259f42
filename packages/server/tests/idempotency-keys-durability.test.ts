/**
 * @module-tag exhaustive
 * @module-tag nightly
 */
import { randomUUID } from "node:crypto";
import { checkedFetch } from "@security-platform/contract-tests";
import { expect, test } from "vitest";
import { paths, type Case } from "./support/cases.ts";
import { forEachEngine } from "./support/engines.ts";
import { serve, temporaryFolder, type ServerProcess } from "./support/server-process.ts";

const creates = 80;
const concurrency = 16;
/** Number of acknowledged creates after which the server is killed. */
const kills = [40];

const fetchChecked = checkedFetch(fetch);

/** One case to create. The client sends it until it knows that the case exists. */
interface Create {
  readonly name: string;
  readonly key: string;
  isKnown: boolean;
}

forEachEngine((engine) => {
  test("a create that is sent again after kill -9 creates one case", async () => {
    const folder = temporaryFolder();
    const databaseUrl = await engine.url();
    const all = Array.from({ length: creates }, (_, index): Create => ({
      name: `case ${index}`,
      key: randomUUID(),
      isKnown: false,
    }));
    const words = ["--rate-limit", "0", "--workers", "2"];
    for (const kill of [...kills, Infinity]) {
      const server = await serve({ folder, databaseUrl, words });
      await createUntil(kill, server, all);
      if (kill !== Infinity) await server.end("SIGKILL");
      else
        expect((await namesOf(server)).toSorted()).toEqual(all.map(({ name }) => name).toSorted());
    }
    expect(all.filter(({ isKnown }) => !isKnown)).toEqual([]);
  });
});

/** Sends the unknown creates at once until `kill` of all are known; then the server is killed. */
async function createUntil(
  kill: number,
  server: ServerProcess,
  all: readonly Create[],
): Promise<void> {
  const waiting = all.filter(({ isKnown }) => !isKnown);
  const work = async (): Promise<void> => {
    for (let create = waiting.shift(); create !== undefined; create = waiting.shift()) {
      // Two requests with the same key may arrive at different processes.
      const statuses = await Promise.all([send(server, create), send(server, create)]).catch(
        () => null,
      );
      if (statuses === null) return;
      for (const status of statuses) expect([201, 409]).toContain(status);
      // A 409 says that the case exists, or is being created by the other request.
      create.isKnown = true;
      if (all.filter(({ isKnown }) => isKnown).length === kill) void server.end("SIGKILL");
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
}

async function send({ url, token }: ServerProcess, { name, key }: Create): Promise<number> {
  const response = await fetchChecked(`${url}${paths.cases}`, {
    method: "PUT",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "idempotency-key": key,
    },
    body: JSON.stringify({ name, severity: 20 }),
  });
  await response.text();
  return response.status;
}

async function namesOf({ url, token }: ServerProcess): Promise<readonly string[]> {
  const headers = { authorization: `Bearer ${token}` };
  const listed = await fetch(`${url}${paths.search}?limit=500`, { headers });
  const ids = (await listed.json()) as readonly string[];
  const response = await fetch(`${url}${paths.cases}`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ ids }),
  });
  return ((await response.json()) as readonly Case[]).map(({ name }) => name);
}
