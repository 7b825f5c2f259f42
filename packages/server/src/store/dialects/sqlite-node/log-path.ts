import { realpathSync } from "node:fs";

/** The log of an existing database. If the path is a symbolic link, SQLite keeps the log beside the file itself. */
export const logPath = (path: string): string => `${realpathSync(path)}-wal`;
