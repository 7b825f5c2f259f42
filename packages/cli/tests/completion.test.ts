/**
 * @module-tag exhaustive
 * @module-tag nightly
 */
/** Types command lines with Tab into real shells. */
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { secplatArguments } from "../../../testing/secplat.ts";
import { testWith } from "../../../testing/platform.ts";
import { temporaryFolder } from "../src/testing/temporary-folder.ts";
import { start } from "./support/process.ts";

/** How to start each shell without the person's settings, with a known prompt and the completion loaded. */
const shells = {
  bash: {
    command: "bash --noprofile --rcfile startup -i",
    startup: "PS1='ready> '\nbind 'set bell-style none'\nsource <(secplat completion bash)\n",
  },
  zsh: {
    command: "ZDOTDIR=$PWD zsh -i",
    startup:
      "PROMPT='ready> '\nunsetopt BEEP\nautoload -Uz compinit\ncompinit -u -D\n" +
      "source <(secplat completion zsh)\n",
  },
  fish: {
    command: "fish --no-config --private --interactive --init-command 'source startup'",
    startup:
      "function fish_prompt; echo -n 'ready> '; end\nset fish_greeting\n" +
      "secplat completion fish | source\n",
  },
} as const;

/**
 * Types the line, where \t is Tab, and returns the arguments of the command that the shell then runs. Its
 * `secplat` completes as the real one does, and otherwise prints its arguments.
 */
async function argumentsAfter(shell: keyof typeof shells, line: string): Promise<string> {
  const folder = temporaryFolder();
  const real = [process.execPath, ...secplatArguments].map((word) => `'${word}'`).join(" ");
  writeFileSync(
    join(folder, "secplat"),
    `#!/bin/sh\ncase $1 in __complete|completion) exec ${real} "$@";; esac\n` +
      'for argument; do printf "<%s>" "$argument"; done; echo .\n',
  );
  chmodSync(join(folder, "secplat"), 0o755);
  writeFileSync(join(folder, "indicators.ndjson"), "");
  const { command, startup } = shells[shell];
  for (const name of ["startup", ".zshrc"]) writeFileSync(join(folder, name), startup);
  const running = start([], {
    folder,
    environment: { PATH: `${folder}:${process.env["PATH"]}`, HOME: folder, TERM: "xterm" },
    program: ["script", "--quiet", "--return", "--command", command, "/dev/null"],
  });
  await running.until("stdout", /ready> /);
  running.child.stdin?.write(`${line}\r`);
  const [, words = ""] = await running.until("stdout", /((?:<[^<>\r\n]*>)+)\./);
  return words;
}

for (const shell of Object.keys(shells) as (keyof typeof shells)[]) {
  const inShell = testWith(shell);

  inShell(`${shell} completes a collection, an operation, an option and its value`, async () => {
    const words = await argumentsAfter(shell, "secplat prev\tlist-members\t--outp\tnd\t");
    expect(words).toBe("<prevention-policy><list-members><--output><ndjson>");
  });

  inShell(`${shell} completes a value after =, and the id of an operation`, async () => {
    const words = await argumentsAfter(shell, "secplat call indicator.comb\t--output=nd\t");
    expect(words).toBe("<call><indicator.combined.v1><--output=ndjson>");
  });

  inShell(`${shell} completes the name of a file`, async () => {
    expect(await argumentsAfter(shell, "secplat import hosts indi\t")).toBe(
      "<import><hosts><indicators.ndjson>",
    );
  });

  inShell(`${shell} completes after a value in quotes`, async () => {
    const line = `secplat ioc list-indicators --filter "type:'domain'" --output cs\t`;
    expect(await argumentsAfter(shell, line)).toBe(
      "<ioc><list-indicators><--filter><type:'domain'><--output><csv>",
    );
  });
}
