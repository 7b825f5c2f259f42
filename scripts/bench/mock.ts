import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { document } from "@security-platform/spec";
import { startOn, stop } from "./measure.ts";
import { spawnSync } from "node:child_process";

const prism = "@stoplight/prism-cli@5.16.0";

/**
 * A Prism mock of our document, in which the example of an operation is replaced by the given body.
 */
export async function startMock(
  folder: string,
  operationId: string,
  body: unknown,
): Promise<{ readonly pid: number; readonly url: string; stop(): Promise<void> } | null> {
  const entry = installPrism(folder);
  if (entry === null) return null;
  const file = join(folder, `mock-${operationId}.json`);
  writeFileSync(file, JSON.stringify(withExample(operationId, body)));
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const child = startOn(0, [
    entry,
    "mock",
    file,
    "--port",
    String(port),
    "--errors",
    "-v",
    "error",
  ]);
  const url = `http://127.0.0.1:${port}`;
  child.stdout?.resume();
  await answering(url);
  return { pid: child.pid ?? 0, url, stop: () => stop(child) };
}

/** Prism is not a dependency of the project: it is installed temporarily for the bench. */
function installPrism(folder: string): string | null {
  const target = join(folder, "prism");
  const done = spawnSync(
    "npm",
    ["install", "--no-save", "--no-audit", "--no-fund", "--prefix", target, prism],
    { stdio: "ignore" },
  );
  return done.status === 0 ? join(target, "node_modules/@stoplight/prism-cli/dist/index.js") : null;
}

function withExample(operationId: string, body: unknown): unknown {
  const copy = structuredClone(document()) as unknown as {
    paths: Record<
      string,
      Record<string, { operationId?: string; responses: Record<string, unknown> }>
    >;
  };
  for (const item of Object.values(copy.paths)) {
    for (const operation of Object.values(item)) {
      if (operation.operationId !== operationId) continue;
      const success = operation.responses["200"] as {
        content: Record<string, { examples?: unknown; example?: unknown }>;
      };
      const json = success.content["application/json"];
      if (json === undefined) continue;
      delete json.examples;
      json.example = body;
    }
  }
  return copy;
}

async function answering(url: string): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const answered = await fetch(url).then(
      () => true,
      () => false,
    );
    if (answered) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("the mock server did not start");
}
