import { expect, test } from "vitest";
import { driverUrl } from "./postgres-url.ts";

test.each([
  ["postgres://me@host/name?sslmode=require", "postgres://me@host/name?sslmode=verify-full"],
  [
    "postgres://me@host/name?sslmode=require&uselibpqcompat=true",
    "postgres://me@host/name?sslmode=require&uselibpqcompat=true",
  ],
  ["postgres://me:a b%2Fc@host/name", "postgres://me:a%20b%2Fc@host/name"],
  ["postgres://me:100%@host/name", "postgres://me:100%25@host/name"],
  ["postgres://me@host/name \n", "postgres://me@host/name"],
])("the driver reads from %j what it says", (url, expected) => {
  expect(driverUrl(url)).toBe(expected);
});
