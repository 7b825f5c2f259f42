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
  return pino({ ...loggerOptions(level), base }, { write: (line) => void output.write(line) });
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
