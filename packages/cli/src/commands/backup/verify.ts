import { resolve } from "node:path";
import { verifyBackup } from "@security-platform/server/internal";
import type { Command } from "commander";
import { examples } from "../../options/examples.ts";
import { readText } from "../../options/read-text.ts";
import { jsonOption } from "../../options/shared.ts";
import type { CliContext } from "../../terminal/cli-context.ts";
import { printResult, type ResultOptions } from "../../terminal/print-result.ts";
import { Progress } from "../../terminal/progress.ts";
import { describeBackup } from "./describe-backup.ts";

export function addVerifyCommand(program: Command, context: CliContext): void {
  program
    .command("verify")
    .description("Read all of a backup or a snapshot, and check each byte of it.")
    .argument("<file>", "backup or snapshot", readText("a file"))
    .addOption(jsonOption())
    .addHelpText("after", examples("secplat verify monday.tar"))
    .action(async (file: string, options: ResultOptions) => {
      const path = resolve(context.workingFolder, file);
      const progress = new Progress(context.stderr, "checking");
      const summary = await verifyBackup(path, (share) =>
        progress.update(Math.round(share * 100), share),
      ).finally(() => progress.end());
      printResult(context, options, { file: path, ...summary }, () =>
        describeBackup(path, summary),
      );
    });
}
