import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { copyCheckout, newFolder } from "../mutants/copy.ts";
import { addKind, type Cost } from "./add-kind.ts";

/** Runs every case of the added kind against a server on SQLite. */
const contractTest = `import { test } from "vitest";
import { runContract, slowest } from "./support/contract-run.ts";
import { onSqlite } from "./support/engines.ts";

onSqlite((engine) => {
  test("every case of the added kind passes", { timeout: slowest }, () =>
    runContract(engine, { include: [/^(entities|queries)\\.external-printer\\./] }),
  );
});
`;

const source = "--conditions=@security-platform/source";

/** What a contributor runs, by folder: generators, linter, compiler and tests. */
const steps: readonly (readonly [folder: string, ...words: readonly string[]])[] = [
  ["packages/spec", "scripts/generate.ts"],
  ["packages/spec", "scripts/generate.ts", "--surface"],
  ["packages/spec", "scripts/lint.ts"],
  ["packages/client", source, "scripts/generate.ts"],
  [
    ".",
    "node_modules/typescript/bin/tsc",
    "--project",
    "tsconfig.packages.json",
    "--noEmit",
    "--checkers",
    "1",
  ],
  ["packages/spec", vitest(), "run", "src", "--tags-filter=!exhaustive"],
  ["packages/server", vitest(), "run", "tests/added-kind.test.ts"],
  ["packages/client", vitest(), "run", "tests/every-operation.test.ts", "-t", "external-printer"],
];

function vitest(): string {
  return "../../node_modules/vitest/vitest.mjs";
}

/**
 * Adds a kind of record to a copy of the repository, checks it as a contributor would, and deletes the copy. Returns
 * the lines that the kind takes. Throws with the output of the first step that fails.
 */
export function checkKind(root: string): Cost {
  const folder = newFolder();
  try {
    copyCheckout(root, folder);
    const cost = addKind(folder);
    writeFileSync(join(folder, "packages/server/tests/added-kind.test.ts"), contractTest);
    for (const [place, ...words] of steps) {
      const { status, stdout, stderr } = spawnSync(process.execPath, words, {
        cwd: join(folder, place),
        encoding: "utf8",
        maxBuffer: 1 << 28,
      });
      if (status !== 0) throw new Error(`${place}: ${words.join(" ")}\n${stdout}${stderr}`);
    }
    return cost;
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** The lines that CONTRIBUTING says a kind takes. */
export function documentedCost(root: string): Cost {
  const text = readFileSync(join(root, "CONTRIBUTING.md"), "utf8");
  const [, yaml, typescript] = /(\d+) of YAML and\s+(\d+) of\s+TypeScript/.exec(text) ?? [];
  return { yaml: Number(yaml), typescript: Number(typescript) };
}
