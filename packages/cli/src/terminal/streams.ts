/** Where a command writes, and what it learns from its surroundings. Passed in, so tests can watch. */
export interface Surroundings {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly workingFolder: string;
}

export interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}
