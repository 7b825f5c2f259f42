/** All that a command knows of the process it runs in. Passed in, so that tests can watch. */
export interface Surroundings {
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly workingFolder: string;
  /** Resolves when the process is asked to stop; commands that run until then call it first. */
  readonly stopAsked: () => Promise<void>;
}

export interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}
