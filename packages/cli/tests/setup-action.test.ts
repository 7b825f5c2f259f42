/** @module-tag exhaustive */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { skipWithout } from "../../../testing/platform.ts";
import { secplatArguments } from "../../../testing/secplat.ts";

skipWithout("POSIX shell");

const folder = resolve(import.meta.dirname, "../../../.github/actions/setup-secplat");

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: {
    readonly steps: readonly { readonly run: string; readonly env: Record<string, string> }[];
  };
}

const action = parse(readFileSync(join(folder, "action.yml"), "utf8")) as Action;

const variablesIn = (file: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );

/** Runs the step of the action as the runner does. */
async function start(inputs: Readonly<Record<string, string>> = {}) {
  const place = mkdtempSync(join(tmpdir(), "setup-secplat-"));
  onTestFinished(() => {
    rmSync(place, { recursive: true, force: true });
  });
  const outputs = join(place, "outputs");
  const variables = join(place, "variables");
  for (const file of [outputs, variables]) writeFileSync(file, "");
  const [step] = action.runs.steps;
  const child = spawn("bash", ["-c", step?.run ?? ""], {
    cwd: place,
    env: {
      PATH: process.env["PATH"],
      HOME: place,
      GITHUB_ACTION_PATH: folder,
      GITHUB_OUTPUT: outputs,
      GITHUB_ENV: variables,
      RUNNER_TEMP: place,
      SETUP_COMMAND: [process.execPath, ...secplatArguments].join(" "),
      SETUP_ARGUMENTS: inputs["arguments"] ?? action.inputs["arguments"]?.default,
      SETUP_PORT: action.inputs["port"]?.default,
      SETUP_DATA: action.inputs["data"]?.default,
    },
  });
  let printed = "";
  child.stdout.on("data", (part: Buffer) => (printed += part.toString()));
  const code = await new Promise<number | null>((settle, fail) => {
    child.on("error", fail);
    // Not "close", because the server keeps running.
    child.on("exit", settle);
  });
  const set = variablesIn(outputs);
  onTestFinished(() => {
    if (set["process-id"] !== undefined) process.kill(Number(set["process-id"]), "SIGKILL");
  });
  return { code, printed: () => printed, outputs: set, variables: variablesIn(variables) };
}

test("the step starts the platform, and leaves what later steps need", async () => {
  const { code, printed, outputs, variables } = await start({ arguments: "--compat" });
  expect([code, Object.keys(outputs).toSorted()]).toEqual([
    0,
    Object.keys(action.outputs).toSorted(),
  ]);
  const headers = { authorization: `Bearer ${outputs["access-token"]}` };
  const response = await fetch(`${outputs["url"]}/iocs/queries/platforms/v1`, { headers });
  expect([response.status, await response.json()]).toMatchObject([200, { errors: [] }]);
  expect(variables).toEqual({
    SECPLAT_URL: outputs["url"],
    SECPLAT_CLIENT_ID: outputs["client-id"],
    SECPLAT_CLIENT_SECRET: outputs["client-secret"],
  });
  expect(printed()).toContain(`::add-mask::${outputs["client-secret"]}\n`);
  expect(printed()).toContain(`::add-mask::${outputs["access-token"]}\n`);
});

test("the step fails with the server's message", async () => {
  const { code, printed } = await start({ arguments: "--workers 0" });
  expect(code).toBe(1);
  expect(printed()).toMatch(/^::error::secplat serve ended with 2: .*--workers/m);
});

test("each output is set by the step, and each input is passed to it", () => {
  const [step] = action.runs.steps;
  for (const [name, { value }] of Object.entries(action.outputs)) {
    expect(value).toBe(`\${{ steps.start.outputs.${name} }}`);
  }
  const passed = Object.values(step?.env ?? {}).join(" ");
  expect(Object.keys(action.inputs).filter((name) => !passed.includes(`inputs.${name}`))).toEqual(
    [],
  );
});
