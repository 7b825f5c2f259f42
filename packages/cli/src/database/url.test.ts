import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { CliContext } from "../terminal/cli-context.ts";
import { silentContext } from "../testing/silent-context.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
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
  for (const url of [
    "postgresql://host/name",
    "postgres://me@/name?host=/run/postgresql&options=-csearch_path%3Down",
    "postgres://host/name?sslmode=require&sslnegotiation=direct",
    `postgres://host/name?sslrootcert=${import.meta.filename}`,
  ]) {
    expect(resolvedUrl(url)).toBe(url);
  }
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
  ["POSTGRES://host/name", "POSTGRES is not in lower case; expected sqlite:<path>"],
  [
    "postgres://host/name?foo=hunter2",
    'unknown parameter "foo"; expected channel_binding, host, options, password',
  ],
  ["postgres://host/name?sslmod=require", 'unknown parameter "sslmod"; expected channel_binding,'],
  ["postgres://host/name?sslmod=require", "Did you mean sslmode?"],
  ["postgres://me:a%00b@host/name", "%00 is a character that no name or password can have"],
  ["postgres://host?dbname=name", "write the name of the database behind the host"],
  ["postgres://host/name?connect_timeout=abc", "set --connect-timeout"],
  ["postgres://host/name?target_session_attrs=any", 'unknown parameter "target_session_attrs"'],
  ["postgres://host/name?toString=1", 'unknown parameter "toString"'],
  ["postgres://me:1?hunter2@host/name", "escape ? in a password as %3F"],
  [
    "postgres://host/name?sslmode=verify_full",
    'the parameter sslmode is "verify_full"; expected disable, prefer, require, verify-ca, verify-full, no-verify. Did you mean verify-full?',
  ],
  ["postgres://host/name?ssl=false", 'ssl is "false"; expected true, 1, 0, no-verify'],
  ["postgres://me@/name?port=0", 'port is "0"; expected a number from 1 to 65535'],
  ["postgres://me:12#hunter2@host/name", "escape # in a password as %23"],
  ["postgres://me:12/hunter2@host/name", "escape / in a password as %2F"],
  ["postgres://me:a@hunter2/x@host/name", "escape / in a password as %2F"],
  ["postgres://me:%E4hunter2@host/name", "an escape with % is no character in UTF-8"],
  ["postgres://me:hunter2@a:5432,b:5432/name", "it has several hosts; name the primary alone"],
  ["postgres://me:hunter2@a,b/name", "it has several hosts"],
  ["postgres:///name?host=a,b", "it has several hosts"],
  [
    "postgres://host/name?channel_binding=required",
    'the parameter channel_binding is "required"; expected disable, prefer, require. Did you mean require?',
  ],
  ["postgres://host/name?pgbouncer=true", 'unknown parameter "pgbouncer"; remove it'],
  ["postgres://host/name?sslrootcert=system", "sslrootcert=system has no effect; remove it"],
  ["postgres://host/name?uselibpqcompat=true&sslmode=verify-ca", "needs sslrootcert; add it"],
  ["jdbc:postgresql://host/name?password=hunter2", 'unknown engine "jdbc:postgresql"'],
  [
    "postgres://host/name?sslcert=/nope",
    'sslcert is "/nope", which cannot be read (ENOENT); expected a file in PEM',
  ],
])("rejects %j without repeating a password", (url, reason) => {
  expect(() => resolvedUrl(url)).toThrow(reason);
  expect(() => resolvedUrl(url)).not.toThrow("hunter2");
});

test("rejects a folder, beside --database and in the data folder", () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, ".data/platform.sqlite"), { recursive: true });
  const inFolder = { ...silentContext, workingFolder: folder };
  expect(() => databaseUrl({ data: ".data", database: "sqlite:.data" }, inFolder)).toThrow(
    `--database: ${join(folder, ".data")} is a folder; expected a file, such as sqlite:${join(folder, ".data/platform.sqlite")}, or --data for the folder`,
  );
  expect(() => databaseUrl({ data: ".data" }, inFolder)).toThrow(
    `${join(folder, ".data/platform.sqlite")} is a folder; expected a file or none`,
  );
});

test("prints neither passwords nor parameters", () => {
  expect(printableUrl("postgres://me:p%40ss@host:5433/name?sslpassword=x")).toBe(
    "postgres://me@host:5433/name",
  );
  expect(printableUrl("postgres://me:p@ss/word@host/name")).not.toMatch(/p@ss|word/);
  expect(printableUrl("postgres://me:12#word@host/name")).toBe("postgres://…");
  expect(printableUrl("postgres://me:p@/name?host=/cloudsql/a:b:c")).toBe("postgres://me@/name");
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
