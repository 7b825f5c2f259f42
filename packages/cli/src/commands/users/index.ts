import type { Command } from "commander";
import type { Surroundings } from "../../terminal/surroundings.ts";
import { addPasswordCommand } from "./password.ts";

export function addUsersCommand(program: Command, surroundings: Surroundings): void {
  const users = program
    .command("users")
    .summary("set passwords for users who got a mail")
    .description(
      "Do what users do with the mails that they get: set a password with the token in it. " +
        "`secplat outbox --json` has the mails. Users themselves are made by API.",
    );
  addPasswordCommand(users, surroundings, {
    name: "activate",
    kind: "activation",
    summary: "set the first password, which makes the user active",
  });
  addPasswordCommand(users, surroundings, {
    name: "reset-password",
    kind: "password_reset",
    summary: "set a new password after a reset",
  });
}
