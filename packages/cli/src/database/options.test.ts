import { Command } from "commander";
import { afterEach, expect, test, vi } from "vitest";
import { commandLine } from "../testing/command-line.ts";
import { addDatabaseOptions, databaseLimits, type DatabaseOptions } from "./options.ts";

afterEach(() => void vi.unstubAllEnvs());

const limitsOf = (...words: readonly string[]) =>
  databaseLimits(
    addDatabaseOptions(new Command().exitOverride().configureOutput({ writeErr: () => undefined }))
      .parse(words, { from: "user" })
      .opts<DatabaseOptions>(),
  );

test("limits the time of statements by default, and leaves it to the check whether they are prepared", () => {
  expect(limitsOf()).toEqual({
    connectMilliseconds: 10_000,
    statementMilliseconds: 60_000,
  });
});

test("reads the settings for PostgreSQL from the command line and the environment", async () => {
  const expected = { prepare: false, connectMilliseconds: 5, statementMilliseconds: 0 };
  const words = ["--no-prepare", "--connect-timeout=5", "--statement-timeout=0"];
  expect(limitsOf(...words)).toEqual(expected);
  vi.stubEnv("SECPLAT_NO_PREPARE", "1");
  vi.stubEnv("SECPLAT_CONNECT_TIMEOUT", "5");
  vi.stubEnv("SECPLAT_STATEMENT_TIMEOUT", "0");
  expect(limitsOf()).toEqual(expected);
  const { stderr } = await commandLine()(["tenants", "list", "--connect-timeout=0"]);
  expect(stderr).toContain("--connect-timeout cannot be '0'. Expected an integer from 1");
});
