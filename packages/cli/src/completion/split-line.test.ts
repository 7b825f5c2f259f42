import { expect, test } from "vitest";
import { splitLine } from "./split-line.ts";

test.each([
  ["secplat ", "\\", ["secplat", ""]],
  ["secplat ioc  list", "\\", ["secplat", "ioc", "list"]],
  [`secplat --filter "type:'domain'" --al`, "\\", ["secplat", "--filter", "type:'domain'", "--al"]],
  [`secplat --filter 'a b`, "\\", ["secplat", "--filter", "a b"]],
  [`secplat "" `, "\\", ["secplat", "", ""]],
  [String.raw`secplat a\ b "c\"d" 'e\f'`, "\\", ["secplat", "a b", `c"d`, String.raw`e\f`]],
  ["secplat --body C:\\x` y", "`", ["secplat", "--body", "C:\\x y"]],
] as const)("splits %j", (line, escape, words) => {
  expect(splitLine(line, escape)).toEqual(words);
});
