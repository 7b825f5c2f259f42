import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { LiveServer } from "../../../client/tests/support/live-server.ts";
import { commandLine, type CommandLine } from "../../src/testing/command-line.ts";
import { handWritten, secrets, writeFiles } from "./tenant-files.ts";

/** A tenant with nothing but the catalogue; its command line has the variables of `handWritten`. */
export async function newTenant(
  server: LiveServer,
  replies?: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<CommandLine> {
  const tenant = await server.newTenant();
  const { baseUrl, clientId, clientSecret } = await server.newCredentials({ tenant });
  return commandLine({
    environment: {
      SECPLAT_URL: baseUrl,
      SECPLAT_CLIENT_ID: clientId,
      SECPLAT_CLIENT_SECRET: clientSecret,
      ...secrets,
      ...more,
    },
    ...(replies === undefined ? {} : { terminal: true, replies }),
  });
}

/** Runs a command of `secplat tenant` that must succeed, and returns what it prints. */
export async function succeed(run: CommandLine, ...words: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await run(["tenant", ...words]);
  expect([exitCode, stderr]).toEqual([0, ""]);
  return stdout;
}

/** A tenant with the records of `handWritten`, and their export in `config`. Users are unique on a server. */
export async function filledTenant(server: LiveServer): Promise<CommandLine> {
  const run = await newTenant(server);
  writeFiles(join(run.folder, "written"), handWritten);
  await succeed(run, "import", "written", "--yes", "--only", kindsButUsers);
  await succeed(run, "export", "config");
  return run;
}

const kindsButUsers = [...new Set(Object.keys(handWritten).map((path) => path.split("/")[0] ?? ""))]
  .filter((kind) => !/users|user-groups|\.yaml/.test(kind))
  .join(",");

/** Changes a file of the folder `config`. */
export function edit(run: CommandLine, path: string, change: (text: string) => string): void {
  const file = join(run.folder, "config", path);
  const text = readFileSync(file, "utf8");
  expect(change(text)).not.toBe(text);
  writeFileSync(file, change(text));
}
