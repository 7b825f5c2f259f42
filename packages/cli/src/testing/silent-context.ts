import { noSignals } from "../terminal/keep-signals.ts";
import type { CliContext } from "../terminal/cli-context.ts";

/** CliContext without input, output and signals; tests replace what matters to them. */
export const silentContext: CliContext = {
  stdin: (async function* () {})(),
  stdout: { write: () => true },
  stderr: { write: () => true },
  environment: {},
  workingFolder: "/",
  stopRequested: () => Promise.resolve(),
  interruption: () => new AbortController().signal,
  endSoon: () => undefined,
  signals: noSignals,
  onHangUp: () => undefined,
};
