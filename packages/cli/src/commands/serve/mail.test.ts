import { Command } from "commander";
import { expect, test } from "vitest";
import { commandLine } from "../../testing/command-line.ts";
import { addSettings } from "../../settings/setting.ts";
import { mailSettings } from "../../settings/table.ts";
import { readMail } from "./mail.ts";

const parse = (...words: readonly string[]) =>
  readMail(addSettings(new Command(), mailSettings).parse(words, { from: "user" }).opts());

test("mails stay in the outbox unless both options are set", () => {
  expect(parse()).toBeNull();
  expect(
    parse("--smtp-url", "smtp://127.0.0.1:25", "--mail-from", "Platform <p@x.example>"),
  ).toEqual({ url: "smtp://127.0.0.1:25", from: "Platform <p@x.example>" });
});

test.each([
  [["--smtp-url", "smtp://127.0.0.1"], "--smtp-url needs --mail-from as well"],
  [["--mail-from", "a@b.example"], "--mail-from needs --smtp-url as well"],
  [["--smtp-url", "http://127.0.0.1"], "Expected smtp://user:password@host:port or smtps://…."],
  [["--mail-from", "nobody"], "Expected an address such as platform@example.com"],
])("serve rejects %j", async (words, reason) => {
  const { exitCode, stderr } = await commandLine()(["serve", ...words]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(reason);
});
