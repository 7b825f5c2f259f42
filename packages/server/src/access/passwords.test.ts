import { expect, test } from "vitest";
import { hashPassword, verifyPassword } from "./passwords.ts";

test("a hash matches only its password", async () => {
  const hashed = await hashPassword("Quiet-harbour-1897");
  expect(hashed).toMatch(/^scrypt\$32768\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
  expect(await verifyPassword("Quiet-harbour-1897", hashed)).toBe(true);
  expect(await verifyPassword("quiet-harbour-1897", hashed)).toBe(false);
});

test("the same password results in a different hash each time", async () => {
  expect(await hashPassword("Quiet-harbour-1897")).not.toBe(
    await hashPassword("Quiet-harbour-1897"),
  );
});

test("composed and decomposed letters are the same password", async () => {
  const hashed = await hashPassword("Caf\u00e9-harbour-1897");
  expect(await verifyPassword("Cafe\u0301-harbour-1897", hashed)).toBe(true);
});

test("a text that is not a hash matches no password", async () => {
  expect(await verifyPassword("", "")).toBe(false);
  expect(await verifyPassword("x", "bcrypt$x")).toBe(false);
});
