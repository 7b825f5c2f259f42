/**
 * @module-tag exhaustive
 * @module-tag nightly
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { temporaryFolder } from "../src/testing/temporary-folder.ts";
import { expectWhole, filledFolder, tokenOf } from "./support/filled-folder.ts";
import { creation, indicatorsPath, serve, type Server } from "./support/server.ts";
import { testWith } from "../../../testing/platform.ts";

const source = fileURLToPath(new URL("support/power-loss.c", import.meta.url));
const library = join(
  temporaryFolder((cleanUp) => process.once("exit", cleanUp)),
  "power-loss.so",
);

/** Acknowledged requests after which the power fails. The log is started again after about 350. */
const losses = [1, 60, 500, 900];

/** What a loss of power would leave of `folder`. */
interface Kept {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
}

function keeping(folder: string, kept: string): Kept {
  const environment = {
    LD_PRELOAD: library,
    POWER_LOSS_FOLDER: realpathSync(folder),
    POWER_LOSS_KEPT: realpathSync(kept),
  };
  return { folder: kept, environment };
}

function compileLibrary(): void {
  execFileSync("cc", ["-shared", "-fPIC", "-o", library, source, "-ldl"]);
}

testWith("a C compiler")("a loss of power loses no acknowledged write", async () => {
  compileLibrary();
  let { folder, ...filled } = await filledFolder();
  const acknowledged: string[] = [];
  for (const loss of losses) {
    const kept = keeping(folder, temporaryFolder());
    cpSync(folder, kept.folder, { recursive: true });
    const { environment } = kept;
    const server = await serve(["--no-demo", "--rate-limit", "0"], { folder, environment });
    await createUntil(loss, server, await tokenOf(server, filled.client), acknowledged);
    ({ folder } = kept);
    const copy = temporaryFolder();
    cpSync(folder, copy, { recursive: true });
    const file = join(copy, ".data", "platform.sqlite");
    await expectWhole({ ...filled, folder: copy, file }, acknowledged);
  }
});

/** Creates indicators, two in each request, and cuts the power after so many requests. */
async function createUntil(
  count: number,
  server: Server,
  token: string,
  acknowledged: string[],
): Promise<void> {
  const first = acknowledged.length;
  let sent = 0;
  const work = async (): Promise<void> => {
    for (;;) {
      sent += 1;
      const values = [`a${sent}.${count}.example`, `b${sent}.${count}.example`];
      const response = await server
        .request(indicatorsPath, { ...creation(values), token })
        .catch(() => null);
      if (response === null) return;
      expect(response.status).toBe(201);
      acknowledged.push(...values);
      if (acknowledged.length - first === 2 * count) server.child.kill("SIGKILL");
    }
  };
  await Promise.all(Array.from({ length: 8 }, work));
  await server.ended;
}

testWith("a C compiler")(
  "after a loss of power at the first start, the next one works",
  async () => {
    compileLibrary();
    const folder = temporaryFolder();
    const kept = keeping(folder, temporaryFolder());
    const server = await serve([], { folder, environment: kept.environment });
    server.child.kill("SIGKILL");
    await server.ended;
    mkdirSync(join(kept.folder, ".data"), { recursive: true });
    const next = await serve([], { folder: kept.folder });
    const response = await next.request("/iocs/combined/indicator/v1?limit=1&offset=0");
    expect(response.status).toBe(200);
    expect(Number(response.headers.get("x-total-count"))).toBeGreaterThan(0);
    expect(next.greeting.client_id).toBe(server.greeting.client_id);
  },
);
