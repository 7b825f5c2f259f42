import { expect, test } from "vitest";
import { verifyPassword } from "../../tests/support/verify-password.ts";
import { hashPassword } from "./passwords.ts";

test("a hash matches only its password", async () => {
  const hashed = await hashPassword("Quiet-harbour-1897");
  expect(hashed).toMatch(/^scrypt\$32768\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
  expect(verifyPassword("Quiet-harbour-1897", hashed)).toBe(true);
  expect(verifyPassword("quiet-harbour-1897", hashed)).toBe(false);
});

test("the same password results in a different hash each time", async () => {
  expect(await hashPassword("Quiet-harbour-1897")).not.toBe(
    await hashPassword("Quiet-harbour-1897"),
  );
});

test("composed and decomposed letters are the same password", async () => {
  const hashed = await hashPassword("Caf\u00e9-harbour-1897");
  expect(verifyPassword("Cafe\u0301-harbour-1897", hashed)).toBe(true);
});
