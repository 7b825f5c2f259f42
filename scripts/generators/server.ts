import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { serve, type Server } from "../../packages/cli/tests/support/server.ts";

/** A server with the demo's records, for the tests of a suite. */
export function demoServer(): () => Server {
  let data: string;
  let server: Server;
  const cleanUps: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    data = mkdtempSync(join(tmpdir(), "generators-"));
    const finish = (cleanUp: () => Promise<void>): void => void cleanUps.push(cleanUp);
    server = await serve(["--data", data, "--no-docs"], { folder: data, finish });
  });
  afterAll(async () => {
    for (const cleanUp of cleanUps) await cleanUp();
    rmSync(data, { recursive: true, force: true });
  });
  return () => server;
}
