import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { runCommand } from "../src/command.ts";
import type { JsonObject } from "../src/json.ts";
import type { Report } from "../src/report/model.ts";
import { testDay } from "../src/testing/documents.ts";

/** A folder of its own for each test, with its files. */
export function project(files: Readonly<Record<string, string | JsonObject>>) {
  const folder = mkdtempSync(join(tmpdir(), "spec-gate-settings-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = (name: string): string => join(folder, name);
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(path(name), typeof content === "string" ? content : JSON.stringify(content));
  }
  const run = async (words: readonly string[], input = "") => {
    let stdout = "";
    let stderr = "";
    const code = await runCommand(
      words.map((word) => (word in files ? path(word) : word)),
      {
        stdout: { write: (part) => (stdout += part) },
        stderr: { write: (part) => (stderr += part) },
        folder,
        fetch,
        now: () => testDay,
        standardInput: () => ({ text: input }),
      },
    );
    return { code, stdout, stderr };
  };
  const report = async (...words: readonly string[]) =>
    JSON.parse((await run([...words, "--format", "json"])).stdout) as Report;
  return { path, run, report };
}

export const done = { responses: { 204: { description: "Done." } } };
export const api = (paths: JsonObject, version = "1.0.0"): JsonObject => ({
  openapi: "3.1.0",
  info: { title: "Things", version },
  paths,
});
export const one = api({ "/things": { get: { ...done, operationId: "list" } } });
export const renamed = api({ "/things": { get: { ...done, operationId: "listAll" } } });
export const none = api({});
