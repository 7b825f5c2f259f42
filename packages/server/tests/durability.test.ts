import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkedFetch } from "@security-platform/contract-tests";
import { expect, onTestFinished, test } from "vitest";
import { forEachEngine } from "./support/engines.ts";

const creates = 1_000;
const concurrency = 24;
/** After how many acknowledged creates the server is killed. */
const kills = [150, 500, 850];

const secplat = fileURLToPath(new URL("../../cli/src/bin.ts", import.meta.url));
const fetchChecked = checkedFetch(fetch);

interface Server {
  readonly url: string;
  readonly access_token: string;
  /** Ends the process as a power cut would: no handler runs. */
  kill(): Promise<void>;
}

/** One call, which creates two indicators or none. */
interface Create {
  readonly values: readonly [string, string];
  acknowledged: boolean;
}

forEachEngine((engine) => {
  test(`kill -9 in the middle of ${creates} creates loses none that was acknowledged, and halves none`, async () => {
    const folder = mkdtempSync(join(tmpdir(), "secplat-durability-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const databaseUrl = await engine.url();
    const calls = Array.from({ length: creates }, (_, index): Create => {
      return { values: [`first${index}.example`, `second${index}.example`], acknowledged: false };
    });
    for (const kill of [...kills, creates]) {
      // oxlint-disable no-await-in-loop -- one server after the other
      const server = await serve(folder, databaseUrl);
      await expectKept(server, calls);
      const left = calls.filter(({ acknowledged }) => !acknowledged);
      await createUntil(kill - (creates - left.length), server, await stillMissing(server, left));
      await server.kill();
      // oxlint-enable no-await-in-loop
    }
    const server = await serve(folder, databaseUrl);
    await expectKept(server, calls);
    expect(calls.filter(({ acknowledged }) => !acknowledged)).toEqual([]);
  });
});

async function serve(folder: string, databaseUrl: string): Promise<Server> {
  const limits = ["--rate-limit", "0", "--overload-delay", "0"];
  const options = ["--port", "0", "--json", ...limits, "--data", folder];
  const child = spawn(
    process.execPath,
    ["--conditions=@security-platform/source", secplat, "serve", ...options],
    { env: { ...process.env, SECPLAT_DATABASE: databaseUrl }, stdio: ["ignore", "pipe", "pipe"] },
  );
  const ended = new Promise<void>((resolve) => {
    child.once("close", () => resolve());
  });
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await ended;
  };
  onTestFinished(kill);
  const { url, access_token } = await greetingOf(child);
  return { url, access_token, kill };
}

/** The one line that a server prints when it is ready. */
function greetingOf(child: ChildProcess): Promise<Pick<Server, "url" | "access_token">> {
  return new Promise((resolve, reject) => {
    const written = { stdout: "", stderr: "" };
    child.stdout?.on("data", (chunk: Buffer) => {
      written.stdout += String(chunk);
      if (!written.stdout.endsWith("}\n")) return;
      resolve(JSON.parse(written.stdout) as Pick<Server, "url" | "access_token">);
    });
    child.stderr?.on("data", (chunk: Buffer) => {
      written.stderr += String(chunk);
    });
    child.once("close", () => reject(new Error(`the server ended: ${written.stderr}`)));
  });
}

/** Calls go out side by side until `target` of them were acknowledged; then the server is killed. */
async function createUntil(
  target: number,
  server: Server,
  calls: readonly Create[],
): Promise<void> {
  const waiting = [...calls];
  let acknowledged = 0;
  const work = async (): Promise<void> => {
    for (let call = waiting.shift(); call !== undefined; call = waiting.shift()) {
      // oxlint-disable-next-line no-await-in-loop -- one worker
      const status = await create(server, call).catch(() => null);
      if (status === null) return;
      expect(status).toBe(201);
      call.acknowledged = true;
      acknowledged += 1;
      // Not awaited: the calls of the other workers are under way.
      if (acknowledged === target) void server.kill();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
}

/** Answers the status; rejects when the server is gone before its answer is. */
async function create({ url, access_token }: Server, { values }: Create): Promise<number> {
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
    headers: { authorization: `Bearer ${access_token}`, "content-type": "application/json" },
    body: JSON.stringify({ indicators }),
  });
  return response.status;
}

/** Every acknowledged call is there whole; the others are there whole or not at all. */
async function expectKept(server: Server, calls: readonly Create[]): Promise<void> {
  const found = await valuesFound(server);
  const kept = ({ values }: Create): number => values.filter((value) => found.has(value)).length;
  expect(calls.filter((call) => call.acknowledged && kept(call) !== 2)).toEqual([]);
  expect(calls.filter((call) => kept(call) === 1)).toEqual([]);
}

/** Calls that were done although their answer never came are done; they count as acknowledged now. */
async function stillMissing(server: Server, calls: readonly Create[]): Promise<readonly Create[]> {
  const found = await valuesFound(server);
  for (const call of calls) call.acknowledged = found.has(call.values[0]);
  return calls.filter(({ acknowledged }) => !acknowledged);
}

/** Every value that the server has, page after page. */
async function valuesFound({ url, access_token }: Server): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  let after = "";
  do {
    const query = new URLSearchParams({
      filter: "value:*'*.example'",
      limit: "500",
      ...(after === "" ? {} : { after }),
    });
    // oxlint-disable no-await-in-loop -- each page names the next
    const response = await fetchChecked(`${url}/iocs/combined/indicator/v1?${query}`, {
      headers: { authorization: `Bearer ${access_token}` },
    });
    expect(response.status).toBe(200);
    for (const { value } of (await response.json()) as readonly { value: string }[]) {
      found.add(value);
    }
    // oxlint-enable no-await-in-loop
    after = response.headers.get("x-pagination-after") ?? "";
  } while (after !== "");
  return found;
}
