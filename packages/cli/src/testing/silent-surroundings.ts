import { noSignals } from "../terminal/keep-signals.ts";
import type { Surroundings } from "../terminal/surroundings.ts";

/** Surroundings without input, output and signals; tests replace what matters to them. */
export const silentSurroundings: Surroundings = {
  stdin: (async function* () {})(),
  stdout: { write: () => true },
  stderr: { write: () => true },
  environment: {},
  workingFolder: "/",
  stopRequested: () => Promise.resolve(),
  interruption: () => new AbortController().signal,
  signals: noSignals,
  onHangUp: () => undefined,
};
