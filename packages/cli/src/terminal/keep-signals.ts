import type { Signals } from "./cli-context.ts";

/** Signals that a person or a supervisor sends to end or control a program. */
const kept = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR2", "SIGBREAK"] as const;

/** Signals that a terminal sends to all programs that run in it. */
const fromTerminal: readonly NodeJS.Signals[] = ["SIGINT", "SIGQUIT", "SIGBREAK"];

/** No signals, for hosts of commands that get none, such as tests. */
export const noSignals = (): Signals => ({
  first: undefined,
  forward: () => undefined,
  release: () => undefined,
});

/** Keeps signals from ending the process. */
export function keepSignals(process: NodeJS.Process): Signals {
  const { stdin, stderr } = process;
  const isTerminal = stdin.isTTY || stderr.isTTY;
  let first: NodeJS.Signals | undefined;
  let forward: (signal: NodeJS.Signals) => void = () => undefined;
  const listener = (signal: NodeJS.Signals): void => {
    first ??= signal;
    // A second Ctrl-C would end most programs at once.
    if (!isTerminal || !fromTerminal.includes(signal)) forward(signal);
  };
  for (const signal of kept) process.on(signal, listener);
  return {
    get first() {
      return first;
    },
    forward: (next) => {
      forward = next;
    },
    release: () => {
      for (const signal of kept) process.off(signal, listener);
    },
  };
}
