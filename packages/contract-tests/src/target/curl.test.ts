import { execFileSync } from "node:child_process";
import { expect } from "vitest";
import { testWith } from "../../../../testing/platform.ts";
import { curl } from "./curl.ts";
import { Redactor } from "./redactor.ts";

testWith("POSIX shell")("a shell reads what was sent, with the secrets filled in", () => {
  const redactor = new Redactor();
  redactor.hide("s3cret", "$TOKEN");
  const command = redactor.apply(
    curl("http://host", {
      method: "POST",
      url: "/a?filter=x%3A'1'",
      headers: { authorization: "Bearer s3cret", accept: 'a/"b"; `c` \\' },
      body: `{"a":"it's $HOME"}`,
    }),
  );
  const words = execFileSync("sh", ["-c", `curl() { printf '%s\\n' "$@"; }; ${command}`], {
    env: { TOKEN: "filled in" },
    stdio: ["ignore", "pipe", "inherit"],
    encoding: "utf8",
  });
  expect(words.trimEnd().split("\n")).toEqual([
    "-i",
    "-X",
    "POST",
    "http://host/a?filter=x%3A'1'",
    "-H",
    "authorization: Bearer filled in",
    "-H",
    'accept: a/"b"; `c` \\',
    "--data-binary",
    `{"a":"it's $HOME"}`,
  ]);
});

testWith("POSIX shell")("sends long bodies and bodies of blanks through standard input", () => {
  const request = { method: "PUT", url: "/", headers: {} };
  const sent = (command: string): string =>
    execFileSync("sh", { input: `curl() { cat; }; ${command}`, encoding: "utf8" });
  const body = "x".repeat(200_000);
  expect(sent(curl("http://h", { ...request, body })).trimEnd()).toBe(body);
  const blanks = { before: "a\r\n", count: 70_000, after: "'b'" };
  expect(sent(curl("http://h", { ...request, blanks }))).toBe(`a\r\n${" ".repeat(70_000)}'b'`);
});
