import type { Groups } from "../fault.ts";

export const cliFaults: Groups = {
  "tenant prune": [
    {
      breaks: "--prune deletes without a question",
      file: "packages/cli/src/commands/tenant/run.ts",
      text: "await confirm(questionOf(plan), context);",
      replacement: "if (!prune) await confirm(questionOf(plan), context);",
      tests: ["packages/cli/tests/tenant-prune.test.ts"],
    },
    {
      breaks: "an import asks nothing",
      file: "packages/cli/src/commands/tenant/run.ts",
      text: "await confirm(questionOf(plan), context);",
      replacement: "await Promise.resolve([confirm, questionOf]);",
      tests: ["packages/cli/tests/tenant-prune.test.ts"],
    },
    {
      breaks: "--prune deletes the records of a missing folder",
      file: "packages/cli/src/commands/tenant/run.ts",
      text: "if (options.only === undefined) refuseMissingFolders(name, folder, plan);",
      replacement: "if (options.only === undefined) [refuseMissingFolders, folder].reverse();",
      tests: ["packages/cli/tests/tenant-prune.test.ts"],
    },
    {
      breaks: "--prune accepts an empty folder",
      file: "packages/cli/src/commands/tenant/run.ts",
      text: "refuseEmpty(name, folder);\n",
      replacement: "[refuseEmpty].reverse();\n",
      tests: ["packages/cli/tests/tenant-prune.test.ts"],
    },
    {
      breaks: "the question does not mention deletions",
      file: "packages/cli/src/commands/tenant/run.ts",
      text: "const part = deletions === 0 ?",
      replacement: "const part = deletions >= 0 ?",
      tests: ["packages/cli/tests/tenant-prune.test.ts"],
    },
    {
      breaks: "an import deletes without --prune",
      file: "packages/cli/src/commands/tenant/plan.ts",
      text: "...(prune ? deletions : [])",
      replacement: "...(prune ? deletions : deletions)",
      tests: ["packages/cli/tests/tenant-prune.test.ts"],
    },
    {
      breaks: "--prune deletes what the folder describes",
      file: "packages/cli/src/commands/tenant/plan.ts",
      text: "!files.has(record.label) &&",
      replacement: "files.has(record.label) &&",
      tests: ["packages/cli/tests/tenant-prune.test.ts"],
    },
    {
      breaks: "every answer is yes",
      file: "packages/cli/src/calls/confirm.ts",
      text: "if (/^y(es)?$/i.test(line.trim())) return;",
      replacement: "if (line !== null) return;",
      tests: ["packages/cli/tests/tenant-prune.test.ts"],
    },
    {
      breaks: "without a terminal, every answer is yes",
      file: "packages/cli/src/calls/confirm.ts",
      text: "if (stdin.isTTY !== true || stderr.isTTY !== true) {",
      replacement: "if (stdin.isTTY !== true || stderr.isTTY !== true) {\n    return;",
      tests: ["packages/cli/tests/tenant-prune.test.ts"],
    },
    {
      breaks: "--prune deletes a record before those that refer to it",
      file: "packages/cli/src/commands/tenant/plan.ts",
      text: "others.toReversed().map(",
      replacement: "others.map(",
      tests: ["packages/cli/tests/tenant-prune.test.ts"],
    },
    {
      breaks: "--prune deletes what a file refers to",
      file: "packages/cli/src/commands/tenant/plan.ts",
      text: "prune && own.some(({ id }) => ids.includes(id))",
      replacement: "prune && own.some(({ id }) => id === name)",
      tests: ["packages/cli/tests/tenant-prune.test.ts"],
    },
    {
      breaks: "a replacement that fails leaves two records",
      file: "packages/cli/src/commands/tenant/apply-plan.ts",
      text: "await this.#remove({ ...record, id }).catch(() => undefined);",
      replacement: "await Promise.resolve(id);",
      tests: ["packages/cli/src/commands/tenant/apply-plan.test.ts"],
    },
  ],
  "CLI output": [
    {
      breaks: "CSV contains formulas with signs of full width",
      file: "packages/cli/src/output/csv.ts",
      text: "const formula = /^[=+\\-@＝＋－＠\\t\\r]/;",
      replacement: "const formula = /^[=+\\-@\\t\\r]/;",
      tests: ["packages/cli/src/output/printer.test.ts"],
    },
  ],
};
