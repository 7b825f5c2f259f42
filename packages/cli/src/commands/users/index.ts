import type { Command } from "commander";
import type { Surroundings } from "../../terminal/surroundings.ts";
import { addPasswordCommand } from "./password.ts";

export function addUsersCommand(program: Command, surroundings: Surroundings): void {
  const users = program
    .command("users")
    .summary("set passwords for users who received a mail")
    .description(
      "Do what users do with the mails that they receive: set a password with the token in the mail. " +
        "`secplat outbox --json` shows the mails. The API creates users.",
    );
  addPasswordCommand(users, surroundings, {
    name: "activate",
    kind: "activation",
    summary: "set the first password, which activates the user",
  });
  addPasswordCommand(users, surroundings, {
    name: "reset-password",
    kind: "password_reset",
    summary: "set a new password after a reset",
  });
}
