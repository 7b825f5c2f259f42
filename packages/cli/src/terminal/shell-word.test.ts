import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { testWith } from "../../../../testing/platform.ts";
import { argumentWord, shellWord } from "./shell-word.ts";

const texts = [
  "plain/path-1.txt",
  "",
  "two words",
  "it's",
  `"it's" $HOME \`id\` \\ !`,
  "-rf",
  "~",
  "*",
  "a;b&c|d>e#f",
  "a\nb\t'\\c",
  "\u001b[2J",
  "ärger €",
];

testWith("bash")("a shell reads the words as they were", () => {
  const line = `printf '%s\\0' ${texts.map(shellWord).join(" ")}`;
  const read = execFileSync("bash", ["-c", line], {
    encoding: "utf8",
    env: { ...process.env, LC_ALL: "C.UTF-8" },
  });
  expect(read.split("\0").slice(0, -1)).toEqual(texts);
});

test("no control character reaches the terminal", () => {
  expect(shellWord("\u001b[2J'")).toBe(String.raw`$'\u001b[2J\''`);
});

test("on Windows, paths have double quotes if they need them", () => {
  expect(argumentWord(String.raw`C:\data`, "win32")).toBe(String.raw`C:\data`);
  expect(argumentWord(String.raw`C:\my data`, "win32")).toBe(String.raw`"C:\my data"`);
  expect(argumentWord("my data", "linux")).toBe("'my data'");
});
