import { pino, type Logger, type LoggerOptions } from "pino";

export type LogLevel = "debug" | "info" | "warn" | "error" | "silent";

/**
 * JSON lines on standard error, so that standard output stays for answers. The owner of the output
 * handles its errors; a log that cannot be written (pino's own writer then waits forever) stops nothing.
 * `base` is added to every line.
 */
export function createLogger(
  level: LogLevel,
  output: { write(line: string): unknown } = process.stderr,
  base: Readonly<Record<string, unknown>> | null = null,
): Logger {
  const options = { ...loggerOptions(level), base, hooks: { logMethod: oneOutageASecond() } };
  return pino(options, { write: (line) => void output.write(line) });
}

type LogMethod = NonNullable<NonNullable<LoggerOptions["hooks"]>["logMethod"]>;

const outageMilliseconds = 1_000;

/**
 * While the database is away, every request and job fails with an error that has `isOutage`. Of these a
 * second has one line, which counts those left out before it.
 */
function oneOutageASecond(): LogMethod {
  let next = 0;
  let leftOut = 0;
  return function log(args, method) {
    const [details] = args as [unknown];
    const { err } = (details ?? {}) as { readonly err?: { readonly isOutage?: boolean } };
    if (err?.isOutage !== true) {
      method.apply(this, args);
      return;
    }
    const now = performance.now();
    if (now < next) {
      leftOut += 1;
      return;
    }
    next = now + outageMilliseconds;
    const [, ...rest] = args as [unknown, ...unknown[]];
    const counted = leftOut === 0 ? details : { ...(details as object), left_out: leftOut };
    leftOut = 0;
    method.apply(this, [counted, ...rest] as unknown as typeof args);
  };
}

/** Redacts secrets in all logged objects. */
export function loggerOptions(level: LogLevel): LoggerOptions {
  return {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label) => ({ level: label }) },
    redact: {
      paths: [
        "authorization",
        "client_secret",
        "token",
        "access_token",
        "password",
        "*.authorization",
        "*.client_secret",
        "*.token",
        "*.access_token",
        "*.password",
      ],
      censor: "[redacted]",
    },
  };
}
