import { expect, test } from "vitest";
import type { Surroundings } from "../terminal/surroundings.ts";
import { databaseFile, databaseUrl, holdsPassword, printableUrl } from "./url.ts";

const surroundings = { workingFolder: "/project" } as Surroundings;
const url = (database?: string): string =>
  databaseUrl({ data: ".data", ...(database === undefined ? {} : { database }) }, surroundings);

test("is SQLite in the data folder by default", () => {
  expect(url()).toBe("sqlite:/project/.data/platform.sqlite");
});

test("takes a path from the working folder, and PostgreSQL as given", () => {
  expect(url("sqlite:own.sqlite")).toBe("sqlite:/project/own.sqlite");
  expect(url("sqlite::memory:")).toBe("sqlite::memory:");
  expect(url("postgresql://host/name")).toBe("postgresql://host/name");
});

test.each([
  [
    "own.sqlite",
    "names no engine; expected sqlite:<path> or postgres://user@host/name. For a SQLite file write sqlite:own.sqlite",
  ],
  ["mysql://root:hunter2@host/name", 'there is no engine "mysql"'],
  ["sqlite:", "is incomplete behind sqlite:"],
  ["postgres:host", "is incomplete behind postgres:"],
  ["", "is empty; expected sqlite:<path>"],
])("refuses %j without repeating a password", (given, reason) => {
  expect(() => url(given)).toThrow(reason);
  expect(() => url(given)).not.toThrow("hunter2");
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
])("knows whether %s holds a password: %s", (given, expected) => {
  expect(holdsPassword(given)).toBe(expected);
});

test("knows the file of a SQLite database", () => {
  expect(databaseFile("sqlite:/a/b.sqlite")).toBe("/a/b.sqlite");
  expect(databaseFile("sqlite::memory:")).toBeNull();
  expect(databaseFile("postgres://host/name")).toBeNull();
});
