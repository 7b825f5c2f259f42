/**
 * Compiles all Go samples of the operations' pages, and writes to `compiled-go.json` which ones the compiler
 * accepted. Argument: the folder of the source code of gofalcon. Needs Go, and the modules that gofalcon uses.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { operations } from "@security-platform/spec";
import { clientVersions } from "./calls.ts";
import { goShape } from "./go-shapes.ts";
import { gofalconSample } from "./gofalcon-sample.ts";
import { gofalconVersion } from "./read-gofalcon.ts";

const [argument] = process.argv.slice(2);
if (argument === undefined) throw new Error("expected the folder of gofalcon");
const gofalcon = resolve(argument);
const version = gofalconVersion(gofalcon);
if (version !== clientVersions.gofalcon) {
  throw new Error(`expected gofalcon ${clientVersions.gofalcon} as in calls.json, got ${version}`);
}

const folder = mkdtempSync(join(tmpdir(), "go-samples-"));
try {
  const requirement = `require github.com/crowdstrike/gofalcon v${version}`;
  const replacement = `replace github.com/crowdstrike/gofalcon => ${gofalcon}`;
  writeFileSync(
    join(folder, "go.mod"),
    `module samples\n\ngo 1.23.0\n\n${requirement}\n\n${replacement}\n`,
  );
  writeFileSync(join(folder, "go.sum"), readFileSync(join(gofalcon, "go.sum")));
  const shapes: Record<string, string> = {};
  for (const operation of operations()) {
    const source = gofalconSample(operation);
    if (source === null) continue;
    const program = join(folder, "samples", operation.id.replaceAll(/\W/g, "_"));
    mkdirSync(program, { recursive: true });
    writeFileSync(join(program, "main.go"), `${source}\n`);
    shapes[operation.id] = goShape(source);
  }
  const go = (...words: readonly string[]): void => {
    execFileSync("go", words, { cwd: folder, stdio: "inherit" });
  };
  go("mod", "tidy");
  go("vet", "./samples/...");
  writeFileSync(
    fileURLToPath(new URL("compiled-go.json", import.meta.url)),
    `${JSON.stringify({ gofalcon: version, shapes }, null, 2)}\n`,
  );
} finally {
  rmSync(folder, { recursive: true });
}
