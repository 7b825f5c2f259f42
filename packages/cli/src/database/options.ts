import { defaultDatabaseLimits, type DatabaseLimits } from "@security-platform/server/internal";
import type { Command } from "commander";
import { configOption } from "../settings/settings-file.ts";
import { addSettings } from "../settings/setting.ts";
import { databaseSettings } from "../settings/table.ts";

export interface DatabaseOptions {
  readonly data: string;
  readonly database?: string;
  readonly secretsKey?: string;
  readonly prepare?: boolean;
  readonly connectTimeout?: number;
  readonly statementTimeout?: number;
  readonly config?: string;
  /** The variable, or the setting and its place in the file, that chooses the database. */
  readonly databaseFrom?: string;
  /** The variables, and the places in the file, that values come from, by the names of their settings. */
  readonly settingsFrom?: Readonly<Record<string, string>>;
}

/** `--data`, `--database` and others, the same on every command that opens the database. */
export const addDatabaseOptions = (command: Command): Command =>
  addSettings(command, databaseSettings).addOption(configOption());

/** The limits of the database from a command's options. */
export const databaseLimits = (options: DatabaseOptions): DatabaseLimits => ({
  ...(options.prepare === false ? { prepare: false } : {}),
  connectMilliseconds: options.connectTimeout ?? defaultDatabaseLimits.connectMilliseconds,
  statementMilliseconds: options.statementTimeout ?? defaultDatabaseLimits.statementMilliseconds,
});
