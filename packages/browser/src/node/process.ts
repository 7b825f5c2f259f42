/** What the server and its libraries read of the process. */
export const process = {
  env: {} as Record<string, string | undefined>,
  pid: 1,
  platform: "browser",
  version: "v24.0.0",
  versions: { node: "24.0.0" },
  browser: true,
  stderr: { write: (line: string): void => console.error(line.trimEnd()) },
  nextTick: (work: (...parameters: unknown[]) => void, ...parameters: unknown[]): void =>
    queueMicrotask(() => work(...parameters)),
  /** Microseconds. Browsers do not measure the processor, so this is the time. */
  cpuUsage: (before = { user: 0, system: 0 }) => ({
    user: performance.now() * 1_000 - before.user,
    system: 0,
  }),
  /** No container limits the memory. */
  constrainedMemory: (): number => 0,
  emitWarning: (warning: unknown): void => console.warn(warning),
};
