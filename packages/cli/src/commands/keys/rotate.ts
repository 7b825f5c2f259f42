import type { KeyFile, Store } from "@security-platform/server/internal";
import type { Command } from "commander";
import { keyFileOf } from "../../database/keys.ts";
import { withStore } from "../../database/open.ts";
import { addDatabaseOptions, type DatabaseOptions } from "../../database/options.ts";
import { jsonOption } from "../../options/shared.ts";
import { printResult, type ResultOptions } from "../../terminal/print-result.ts";
import { CommandError } from "../../terminal/exit-codes.ts";
import { interruptible, shortPatience } from "../../terminal/interruptible.ts";
import { Progress } from "../../terminal/progress.ts";
import type { CliContext } from "../../terminal/cli-context.ts";

type RotateOptions = DatabaseOptions & ResultOptions;

export function addRotateCommand(parent: Command, context: CliContext): void {
  const command = parent
    .command("rotate")
    .summary("encrypt all secrets with a new key")
    .description(
      "Encrypt all secrets in the database with the newest key of the key file; if it is in use already, a " +
        "new key is added first. Servers may run, and use the key at once. The command can be interrupted " +
        "and repeated: it then completes the same rotation. The old key stays in the file, as backups need it.",
    )
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Examples:
  secplat keys rotate
  secplat keys add                servers on several machines: copy the file to all of them,
  secplat keys rotate             then rotate on one of them`,
    );
  addDatabaseOptions(command).action((options: RotateOptions) =>
    interruptible(context, interrupted, (signal) => rotate(options, context, signal)),
  );
}

const interrupted = {
  state: () =>
    "each secret has the old key or the new one, and the key file has both; run the command again to complete the rotation",
  patience: shortPatience,
};

function rotate(options: RotateOptions, context: CliContext, signal: AbortSignal): Promise<void> {
  return withStore({ ...options, create: false }, context, async (store) => {
    const file = keyFileOf(options, context);
    const id = await targetOf(store, file);
    const progress = new Progress(context.stderr, "encrypting secrets", { signal });
    const secrets = await store.secrets
      .rotateTo(id, { onProgress: (changed) => progress.update(changed, null) })
      .finally(() => progress.end());
    printResult(
      context,
      options,
      { id, secrets, file: file.path },
      () =>
        `encrypted ${secrets} secrets with the key ${id}\n` +
        `${file.path} has it; keep a copy, but not with the backups of the database\n`,
    );
  });
}

/** The key of an unfinished rotation, the newest key if it is not in use, or a new one. */
async function targetOf(store: Store, file: KeyFile): Promise<string> {
  const used = await store.secrets.keys();
  const current = used.find((key) => key.current);
  if (current === undefined) {
    throw new CommandError("the database has no key yet; the first start of a server sets one");
  }
  if (used.length > 1) return current.id;
  const newest = file.keys().at(-1);
  return newest === undefined || newest.id === current.id ? addTo(file, current.id) : newest.id;
}

/** Adds nothing to a file that lacks the current key: it may be the wrong file. */
function addTo(file: KeyFile, current: string): string {
  if (file.find(current) !== null) return file.add().id;
  throw new CommandError(
    `${file.source} does not have the current key ${current}; choose the file with --secrets-key`,
  );
}
