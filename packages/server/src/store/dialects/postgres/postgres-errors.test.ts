import { DatabaseError } from "pg";
import { expect, test } from "vitest";
import { StoreUnavailableError } from "../../types/errors.ts";
import { postgresFailure } from "./postgres-errors.ts";

const internalError = (message: string): DatabaseError =>
  Object.assign(new DatabaseError(message, message.length, "error"), { code: "XX000" });

test.each([
  "failure on connection marked as essential: worker-1:5432",
  "could not commit transaction for shard 102029 on at least one active node",
])("a node of Citus that went away makes the database unavailable: %s", (message) => {
  expect(postgresFailure(internalError(message))).toBeInstanceOf(StoreUnavailableError);
});

test("any other internal error stays one", () => {
  const error = internalError("cache lookup failed for relation 1");
  expect(postgresFailure(error)).toBe(error);
});

test.each([
  ["SELF_SIGNED_CERT_IN_CHAIN", "sslrootcert in the URL, or set sslmode=no-verify"],
  [
    "ERR_TLS_CERT_ALTNAME_INVALID",
    "its certificate is for another host; name that host in the URL",
  ],
])("says what to do about a certificate: %s", (code, cure) => {
  const failure = postgresFailure(Object.assign(new Error("refused"), { code }));
  expect((failure as Error).message).toContain(cure);
});
