import type { Command } from "commander";
import type { CliContext } from "../../terminal/cli-context.ts";
import { addPasswordCommand } from "./password.ts";

export function addUsersCommand(program: Command, context: CliContext): void {
  const users = program
    .command("users")
    .description(
      "Set the password of a user with the token in a mail. " +
        "`secplat outbox --json` shows the mails. Users are created with the API.",
    );
  addPasswordCommand(users, context, {
    name: "activate",
    kind: "activation",
    summary: "set the first password, which activates the user",
  });
  addPasswordCommand(users, context, {
    name: "reset-password",
    kind: "password_reset",
    summary: "set a new password after a reset",
  });
}
