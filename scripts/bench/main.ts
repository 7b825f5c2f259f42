import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Scenario } from "./scenario.ts";
import { scenarios } from "./scenarios.ts";
import { met, type Result } from "./measure.ts";
import { stopPostgres } from "./postgres.ts";

const help = `npm run bench -- [--json FILE] [--only PATTERN] [--quick]

Compares the platform with its own engine, a bare HTTP route and a mock server, all in this run,
and prints ratios. Absolute figures depend on the machine; ratios much less so.

  --json FILE      also write the results as JSON
  --only PATTERN   only the scenarios whose name matches this regular expression
  --quick          shorter runs and a tenth of the records: for testing the bench itself
  --help           this text

Scenarios: ${scenarios.map(({ name }) => name).join(", ")}
Exit code 1 if a figure misses its target.
`;

const { values } = parseArgs({
  options: {
    json: { type: "string" },
    only: { type: "string", default: "" },
    quick: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

process.setMaxListeners(100);
if (values.help) {
  process.stdout.write(help);
} else {
  const results = await runAll(scenarios.filter(({ name }) => new RegExp(values.only).test(name)));
  process.stdout.write(`\n${report(results)}`);
  if (values.json !== undefined) {
    writeFileSync(values.json, `${JSON.stringify({ node: process.version, results }, null, 2)}\n`);
  }
  if (!results.every(met)) process.exitCode = 1;
}

async function runAll(chosen: readonly Scenario[]): Promise<readonly Result[]> {
  const folder = mkdtempSync(join(tmpdir(), "bench-"));
  const results: Result[] = [];
  try {
    for (const { name, run } of chosen) {
      process.stderr.write(`${name} …\n`);
      results.push(
        ...(await run({ folder, scale: values.quick ? 0.1 : 1, seconds: values.quick ? 2 : 6 })),
      );
    }
  } finally {
    await stopPostgres();
    rmSync(folder, { recursive: true, force: true });
  }
  return results;
}

function report(results: readonly Result[]): string {
  const rows = results.map((result) => [
    met(result) ? "met " : "MISS",
    result.name,
    result.ratio.toFixed(2),
    `${result.targetIs} ${result.target}`,
    [result.figure, result.note ?? ""].filter((text) => text !== "").join("; "),
  ]);
  const widths = [0, 1, 2, 3].map((column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join("  ")
          .trimEnd()}\n`,
    )
    .join("");
}
