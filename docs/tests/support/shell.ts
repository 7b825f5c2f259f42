import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { secplatArguments } from "../../../testing/secplat.ts";
import { contractTests, fromSources, projectFolder, specGate } from "./places.ts";

export interface Outcome {
  readonly printed: string;
  readonly succeeded: boolean;
}

/** Throws an error with instructions if the machine lacks a program that the samples use. */
export function requirePrograms(): void {
  for (const program of ["bash", "curl"]) {
    if (spawnSync(program, ["--version"]).error !== undefined) {
      throw new Error(
        `the samples in the docs need ${program}, which is not installed on this machine`,
      );
    }
  }
}

/**
 * One bash for all blocks of a page, so that they share variables and the working folder. `npx` runs the project's
 * commands from their sources, in a child process: like npm's, it does not pass signals on. `npm install` does nothing,
 * because the packages are in the workspace.
 */
export class Shell {
  readonly #process: ChildProcess;
  readonly #folder: string;
  #blocks = 0;

  /** `folder` must be a place where Node.js finds the project's packages. */
  constructor(folder: string) {
    this.#folder = folder;
    const programs = join(folder, ".programs");
    mkdirSync(programs, { recursive: true });
    const shims = {
      npx: `#!/bin/sh
program=$1
shift
case "$program" in
secplat) npm_lifecycle_event=npx node ${secplatArguments.map((word) => `"${word}"`).join(" ")} "$@" ;;
@security-platform/contract-tests) node ${fromSources} ${contractTests} "$@" ;;
@security-platform/spec-gate) node ${fromSources} ${specGate} "$@" ;;
*) exit 127 ;;
esac
exit $?
`,
      npm: `#!/bin/sh
case "$1 $2" in
"install @security-platform/client") ;;
*) exit 127 ;;
esac
`,
    };
    for (const [name, shim] of Object.entries(shims)) {
      writeFileSync(join(programs, name), shim, { mode: 0o755 });
    }
    this.#process = spawn("bash", ["--noprofile", "--norc"], {
      cwd: folder,
      detached: true,
      stdio: ["pipe", "ignore", "inherit", "pipe"],
      env: {
        ...process.env,
        PATH: [
          programs,
          dirname(process.execPath),
          join(projectFolder, "node_modules/.bin"),
          process.env["PATH"] ?? "",
        ].join(delimiter),
        NODE_OPTIONS: fromSources,
        // For the servers that samples start: a busy machine would reach this limit.
        SECPLAT_OVERLOAD_DELAY: "0",
      },
    });
  }

  /** Runs a block. It fails if any command in it fails. */
  async run(script: string): Promise<Outcome> {
    this.#blocks += 1;
    const file = join(this.#folder, `.programs/block-${this.#blocks}.sh`);
    writeFileSync(file, `${script}\n`);
    const done = this.#answer();
    const commands = `failed=0; trap 'failed=1' ERR; source '${file}' >'${file}.out' 2>&1 </dev/null; trap - ERR; echo $failed >&3\n`;
    (this.#process.stdin as Writable).write(commands);
    const failed = (await done).trim() !== "0";
    return { printed: readFileSync(`${file}.out`, "utf8"), succeeded: !failed };
  }

  #answer(): Promise<string> {
    return new Promise((resolve, reject) => {
      const channel = this.#process.stdio[3] as Readable;
      const ended = (): void => reject(new Error("the shell ended within a block"));
      this.#process.once("exit", ended);
      channel.once("data", (chunk: Buffer) => {
        this.#process.off("exit", ended);
        resolve(chunk.toString());
      });
    });
  }

  /** The servers that blocks have started and not stopped. */
  servers(): readonly string[] {
    const { stdout } = spawnSync("ps", ["-A", "-o", "pgid=,args="], { encoding: "utf8" });
    return stdout
      .split("\n")
      .filter((line) => Number.parseInt(line, 10) === this.#process.pid && / serve /.test(line));
  }

  /** Ends the shell and all its remaining processes. */
  close(): void {
    const { pid } = this.#process;
    this.#process.removeAllListeners("exit");
    if (pid !== undefined && this.#process.exitCode === null) process.kill(-pid, "SIGKILL");
  }
}
