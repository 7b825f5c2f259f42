import { setPassword, systemClock, type NewPassword } from "@security-platform/server/internal";
import type { Command } from "commander";
import { withStore } from "../../database/open.ts";
import { addDatabaseOptions, type DatabaseOptions } from "../../database/options.ts";
import { readLines } from "../../input/lines.ts";
import { jsonOption } from "../../options/shared.ts";
import { printResult, type ResultOptions } from "../../terminal/print-result.ts";
import { CommandError, exitCodes } from "../../terminal/exit-codes.ts";
import type { CliContext } from "../../terminal/cli-context.ts";
import { formatFacts } from "../../terminal/table.ts";

interface PasswordCommand {
  readonly name: string;
  readonly kind: NewPassword["kind"];
  readonly summary: string;
}

/**
 * A command that reads a token and a password from standard input, where other users cannot see
 * them.
 */
export function addPasswordCommand(
  users: Command,
  context: CliContext,
  { name, kind, summary }: PasswordCommand,
): void {
  const command = users
    .command(name)
    .summary(summary)
    .description(
      `${summary.replace(/^./, (first) => first.toUpperCase())}. Standard input has two lines: ` +
        "the token in the mail, and the password. The token can be used only once.",
    )
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Examples:
  printf '%s\\n%s\\n' "$MAIL_TOKEN" "$PASSWORD" | secplat users ${name}`,
    );
  addDatabaseOptions(command).action(async (options: DatabaseOptions & ResultOptions) => {
    const credentials = await tokenAndPassword(context);
    await withStore({ ...options, create: false }, context, async (store) => {
      const user = await setPassword(store, { kind, ...credentials }, systemClock.now());
      printResult(context, options, user, () =>
        formatFacts([
          ["user", user.uid],
          ["tenant", user.cid],
          ["status", user.status],
        ]),
      );
    });
  });
}

async function tokenAndPassword({
  stdin,
}: CliContext): Promise<Pick<NewPassword, "token" | "password">> {
  const lines: string[] = [];
  for await (const line of readLines(stdin, { name: "standard input" })) {
    lines.push(line);
    if (lines.length > 2) break;
  }
  const [token, password, ...more] = lines;
  if (token !== undefined && password !== undefined && more.length === 0) {
    return { token: token.trim(), password };
  }
  throw new CommandError(
    "standard input: expected two lines, the token in the mail and the password",
    exitCodes.usage,
  );
}
