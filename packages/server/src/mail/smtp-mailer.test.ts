import { expect, test } from "vitest";
import { mailboxOf, smtpOptions } from "./smtp-mailer.ts";

test.each([
  ["smtp://mail.example", { host: "mail.example", port: 587, secure: false, requireTLS: false }],
  ["smtps://mail.example/", { port: 465, secure: true, requireTLS: false }],
  ["smtp://[::1]:25", { host: "::1", port: 25 }],
])("reads %s", (url, expected) => {
  expect(smtpOptions(url)).toMatchObject(expected);
});

test("credentials need encryption, except to this machine", () => {
  expect(smtpOptions("smtp://a%40b:c%2Fd@mail.example")).toMatchObject({
    requireTLS: true,
    auth: { user: "a@b", pass: "c/d" },
  });
  expect(smtpOptions("smtp://a:b@127.0.0.1:25").requireTLS).toBe(false);
  expect(smtpOptions("smtp://a:b@127.evil.example").requireTLS).toBe(true);
});

test.each([
  "",
  "mail.example",
  "http://mail.example",
  "smtp://",
  "smtp://mail.example/path",
  "smtp://a b",
])("rejects %j", (url) => {
  expect(() => smtpOptions(url)).toThrow("expected smtp://user:password@host:port or smtps://…");
});

test.each([
  ["p@x.example", { name: "", address: "p@x.example" }],
  ["The Platform <p@x.example>", { name: "The Platform", address: "p@x.example" }],
])("reads the sender %s", (text, expected) => {
  expect(mailboxOf(text)).toEqual(expected);
});

test.each(["", "p", "p@x, q@x", "<p@x", "P\n <p@x>", "P <p@x> <q@x>"])(
  "rejects the sender %j",
  (text) => {
    expect(() => mailboxOf(text)).toThrow(TypeError);
  },
);
