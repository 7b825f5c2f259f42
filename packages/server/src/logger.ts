import { outageLines, type LogShare } from "./outage-lines.ts";
import { pino, type Logger, type LoggerOptions } from "pino";

export type LogLevel = "debug" | "info" | "warn" | "error" | "silent";

/**
 * JSON lines on standard error, so that standard output stays for answers. The owner of the output
 * handles its errors; a log that cannot be written (pino's own writer then waits forever) stops nothing.
 * `worker` is a process among several that log to one output; its number is in every line.
 */
export function createLogger(
  level: LogLevel,
  output: { write(line: string): unknown } = process.stderr,
  worker?: LogShare,
): Logger {
  const options = {
    ...loggerOptions(level),
    base: worker === undefined ? null : { worker: worker.number },
    hooks: { logMethod: outageLines(worker) },
  };
  return pino(options, { write: (line) => void output.write(line) });
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
