import { constants } from "node:os";
import { Writable } from "node:stream";
import { SilentExit } from "./exit-codes.ts";
import type { CliContext } from "./cli-context.ts";

/** Asks on the terminal of a process. Ctrl-C and Ctrl-D end the command with a `SilentExit`. */
export const asker =
  ({ stdin, stderr }: NodeJS.Process): NonNullable<CliContext["ask"]> =>
  async (question, { hidden } = { hidden: false }) => {
    // Loaded only by commands that ask.
    const { createInterface } = await import("node:readline");
    const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
    const lines = createInterface({
      input: stdin,
      output: hidden ? silent : stderr,
      terminal: true,
      historySize: 0,
    });
    try {
      return await new Promise((resolve, reject) => {
        const interrupted = new SilentExit(128 + constants.signals.SIGINT);
        lines.once("SIGINT", () => reject(interrupted));
        lines.once("close", () => reject(interrupted));
        if (hidden) stderr.write(question);
        lines.question(hidden ? "" : question, resolve);
      });
    } finally {
      // The terminal shows no end of the line either.
      if (hidden) stderr.write("\n");
      lines.close();
    }
  };
