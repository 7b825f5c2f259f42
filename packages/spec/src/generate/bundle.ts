import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { OpenApiDocument } from "../document.ts";

const require = createRequire(import.meta.url);

/**
 * Runs the redocly command in `root`, which contains its configuration, and returns its output.
 * Throws if it fails.
 */
export function redocly(root: string, ...parameters: readonly string[]): string {
  const manifest = require.resolve("@redocly/cli/package.json");
  return execFileSync(process.execPath, [join(dirname(manifest), "bin/cli.js"), ...parameters], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
  });
}

/** The bundled document, with components sorted by name so that equal sources give equal bytes. */
export function bundle(root: string, api: string): OpenApiDocument {
  const folder = mkdtempSync(join(tmpdir(), "security-platform-spec-"));
  try {
    const file = join(folder, "openapi.json");
    redocly(root, "bundle", api, "--output", file);
    const { components, ...rest } = JSON.parse(readFileSync(file, "utf8")) as OpenApiDocument;
    return {
      ...rest,
      components: sorted(components, (parts) => sorted(parts)) as OpenApiDocument["components"],
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function sorted<Value>(
  record: Readonly<Record<string, Value>>,
  change: (value: Value) => Value = (value) => value,
): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(record)
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, value]) => [name, change(value)]),
  );
}
