import { expect, test } from "vitest";
import { FixedKeys } from "./keyring.ts";
import { seal, sealingKey, unseal, type SecretPlace } from "./seal.ts";
import { newKeyText, readSecretKeys, SecretKeyError } from "./secret-key.ts";

const [key, other] = readSecretKeys(`${newKeyText()}\n${newKeyText()}`);
if (key === undefined || other === undefined) throw new Error("there are not two keys");
const keys = new FixedKeys([key]);
const place: SecretPlace = { cid: "c", resource: "r", record: "1", field: "f" };

test.each(["", "a", "päßwörd 🔑", "x".repeat(100_000)])("opens what it sealed: %#", (text) => {
  const sealed = seal(text, place, key);
  expect(unseal(sealed, place, keys)).toBe(text);
  expect(sealingKey(sealed)).toBe(key.id);
});

test("never returns the same text twice", () => {
  const sealed = Array.from({ length: 1_000 }, () => seal("same", place, key));
  expect(new Set(sealed).size).toBe(1_000);
});

test.each([
  ["tenant", { cid: "d" }],
  ["resource", { resource: "s" }],
  ["record", { record: "2" }],
  ["field", { field: "g" }],
])("a text of another %s cannot be opened", (_, changed) => {
  const sealed = seal("secret", place, key);
  expect(() => unseal(sealed, { ...place, ...changed }, keys)).toThrow(SecretKeyError);
});

test("a changed text cannot be opened", () => {
  const sealed = seal("secret", place, key);
  const start = sealed.lastIndexOf(":") + 1;
  for (let at = start; at < sealed.length - 1; at += 1) {
    const changed = `${sealed.slice(0, at)}${sealed[at] === "A" ? "B" : "A"}${sealed.slice(at + 1)}`;
    expect(() => unseal(changed, place, keys)).toThrow(SecretKeyError);
  }
  for (const cut of [sealed.slice(0, -4), sealed.slice(0, start + 8)]) {
    expect(() => unseal(cut, place, keys)).toThrow(SecretKeyError);
  }
});

test("names the missing key, without any part of the secret", () => {
  const sealed = seal("secret", place, other);
  expect(() => unseal(sealed, place, keys)).toThrow(
    `secrets that the key ${other.id} encrypts, and the list of keys does not have this key`,
  );
});

test.each(["", "secret", `sealed:1:${key.id}:`, "sealed:2:0123456789abcdef:AAAA"])(
  "%j is not sealed",
  (text) => {
    expect(sealingKey(text)).toBeNull();
  },
);
