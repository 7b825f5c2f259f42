import { destination, pino, type Logger, type LoggerOptions } from "pino";

export type LogLevel = "debug" | "info" | "warn" | "error" | "silent";

/** JSON lines on standard error (file descriptor 2), so that standard output stays for answers. */
export function createLogger(level: LogLevel): Logger {
  return pino(loggerOptions(level), destination({ dest: 2, sync: false }));
}

/** Secrets never reach the log, whichever object carries them. */
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
