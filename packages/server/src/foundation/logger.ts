import { outageLines, type LogShare } from "./outage-lines.ts";
import { pino, type Logger, type LoggerOptions } from "pino";

export type LogLevel = "debug" | "info" | "warn" | "error" | "silent";

/**
 * Logs JSON lines to standard error, because standard output is for results. The owner of the output handles
 * its errors. A log that cannot be written stops nothing, whereas pino's own writer would wait forever.
 * `worker` identifies one of several processes with a common log; every line has its number.
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
