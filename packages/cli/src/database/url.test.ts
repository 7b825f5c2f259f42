import { expect, test } from "vitest";
import type { CliContext } from "../terminal/cli-context.ts";
import { databaseFile, databaseUrl, holdsPassword, printableUrl } from "./url.ts";

const context = { workingFolder: "/project" } as CliContext;
const resolvedUrl = (database?: string): string =>
  databaseUrl({ data: ".data", ...(database === undefined ? {} : { database }) }, context);

test("is SQLite in the data folder by default", () => {
  expect(resolvedUrl()).toBe("sqlite:/project/.data/platform.sqlite");
});

test("accepts a path relative to the working folder, and a PostgreSQL URL", () => {
  expect(resolvedUrl("sqlite:own.sqlite")).toBe("sqlite:/project/own.sqlite");
  expect(resolvedUrl("sqlite::memory:")).toBe("sqlite::memory:");
  expect(resolvedUrl("postgresql://host/name")).toBe("postgresql://host/name");
});

test.each([
  [
    "own.sqlite",
    "has no engine; expected sqlite:<path> or postgres://user@host/name. For a SQLite file write sqlite:own.sqlite",
  ],
  ["mysql://root:hunter2@host/name", 'unknown engine "mysql"'],
  ["sqlite:", "is incomplete after sqlite:"],
  ["postgres:host", "is incomplete after postgres:"],
  ["", "is empty; expected sqlite:<path>"],
])("rejects %j without repeating a password", (url, reason) => {
  expect(() => resolvedUrl(url)).toThrow(reason);
  expect(() => resolvedUrl(url)).not.toThrow("hunter2");
});

test("prints neither passwords nor parameters", () => {
  expect(printableUrl("postgres://me:p%40ss@host:5433/name?sslpassword=x")).toBe(
    "postgres://me@host:5433/name",
  );
  expect(printableUrl("postgres://me:p@ss/word@host/name")).not.toMatch(/p@ss|word/);
  expect(printableUrl("postgres://host/name")).toBe("postgres://host/name");
  expect(printableUrl("sqlite:/a/b")).toBe("sqlite:/a/b");
});

test.each([
  ["postgres://me:secret@host/name", true],
  ["postgres://host/name?password=secret", true],
  ["postgres://me@host/name", false],
  ["postgres://host:5432/name", false],
  ["sqlite:/a:b@c", false],
])("detects whether %s contains a password: %s", (url, expected) => {
  expect(holdsPassword(url)).toBe(expected);
});

test("returns the file of a SQLite database", () => {
  expect(databaseFile("sqlite:/a/b.sqlite")).toBe("/a/b.sqlite");
  expect(databaseFile("sqlite::memory:")).toBeNull();
  expect(databaseFile("postgres://host/name")).toBeNull();
});
