/** Everything that a command needs from its process. Passed in, so that tests can replace it. */
export interface CliContext {
  readonly stdin: AsyncIterable<Uint8Array> & { readonly isTTY?: boolean };
  readonly stdout: Output;
  readonly stderr: Output;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly workingFolder: string;
  /** Resolves at a stop signal; commands that run until then call it first. */
  readonly stopRequested: () => Promise<void>;
  /** Aborts with a `SilentExit` when the command must end early; commands that run long call it first. */
  readonly interruption: () => AbortSignal;
  /** Ends the process soon after the command, even if something that it has started still waits. */
  readonly endSoon: () => void;
  /** Keeps signals from ending this process, for commands that run another program. */
  readonly signals: () => Signals;
  /** Asks a person on the terminal, who sees no `hidden` answer; absent without a terminal. */
  readonly ask?: (question: string, how?: { readonly hidden: boolean }) => Promise<string>;
  /** Calls `listener` at each SIGHUP that does not stop the process. */
  readonly onHangUp: (listener: () => void) => void;
}

export interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  /** Whether a writer should wait for the event `drain`, as a stream of Node.js says. */
  readonly writableNeedDrain?: boolean;
  /** Text, or the bytes of a file. */
  write(content: string | Uint8Array): unknown;
}

/** The signals that this process gets, until `release`. */
export interface Signals {
  /** The first signal; undefined if there was none yet. */
  readonly first: NodeJS.Signals | undefined;
  /** Calls `listener` at each later signal, unless the terminal sends it to the program as well. */
  forward(listener: (signal: NodeJS.Signals) => void): void;
  release(): void;
}
