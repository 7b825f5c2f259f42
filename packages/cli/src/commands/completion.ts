import { Argument, type Command } from "commander";
import { completionScripts, shells, type Shell } from "../completion/scripts.ts";
import { examples } from "../options/examples.ts";
import { readChoice } from "../options/read-choice.ts";
import type { CliContext } from "../terminal/cli-context.ts";

export function addCompletionCommand(program: Command, { stdout }: CliContext): void {
  program
    .command("completion")
    .description(
      "Print a script that completes commands, options and values of secplat in a shell: operations, " +
        "enumerations, profiles, and the ids of records on the server that runs on this machine.",
    )
    .addArgument(
      new Argument("<shell>", `the shell: ${shells.join(", ")}`).argParser(readChoice(shells)),
    )
    .addHelpText(
      "after",
      examples(
        "source <(secplat completion bash)                              in ~/.bashrc",
        "source <(secplat completion zsh)                               in ~/.zshrc, after compinit",
        "secplat completion fish | source                               in config.fish",
        "secplat completion powershell | Out-String | Invoke-Expression in $PROFILE",
      ),
    )
    .action((shell: Shell) => void stdout.write(completionScripts[shell]));
}
