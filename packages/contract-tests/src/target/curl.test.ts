import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { curl } from "./curl.ts";
import { Redactor } from "./redactor.ts";

test("a shell reads back what was sent, and fills in the secrets", () => {
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

test("a long body is cut", () => {
  const command = curl("http://h", {
    method: "PUT",
    url: "/",
    headers: {},
    body: "x".repeat(10_000),
  });
  expect(command.length).toBeLessThan(200);
  expect(command).toContain("10000 characters");
});
