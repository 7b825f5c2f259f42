import { expect, test } from "vitest";
import { checkExpression } from "./check.ts";

test.each([
  ["a**", 1, "invalid nested repetition operator: **"],
  ["(ab", 0, "missing closing )"],
  ["x(a)(b", 4, "missing closing )"],
  ["ab)", 2, "unexpected )"],
  ["(a))(", 3, "unexpected )"],
  ["x[ab", 1, "missing closing ]: [ab"],
  ["a{1001}", 1, "invalid repeat count: {1001}"],
  ["x\\", 1, "trailing backslash at end of expression"],
  ["q[z-a]", 2, "invalid character class range: z-a"],
  ["(?=a)", 0, "invalid or unsupported Perl syntax: (?="],
  ["(?<=a)b", 0, "invalid named capture"],
  ["(a)\\1", 3, "invalid escape sequence: \\1"],
  ["(?P<n>a)(?P<n>b)", 12, "duplicate capture group name"],
  ["a|*b", 2, "missing argument to repetition operator: *"],
  ["[*][**]**", 7, "invalid nested repetition operator: **"],
  ["\\pX", 0, "invalid character class range: \\pX"],
])("%s does not compile, and the error has a position", (text, offset, reason) => {
  const checked = checkExpression(text);
  expect(checked).toMatchObject({
    problem: expect.stringContaining(`does not compile at offset ${offset}: ${reason}`),
  });
});

test.each([
  ["^a", "^", 0],
  ["ab$", "$", 2],
  ["a\\b", "\\b", 1],
  ["a\\Bc", "\\B", 1],
  ["\\Aa", "\\A", 0],
  ["a\\z", "\\z", 1],
  ["a\\Z", "\\Z", 1],
  ["(a+)+$", "$", 5],
  ["\\\\^", "^", 2],
  ["[^^]^", "^", 4],
  ["\\Q^\\E^", "^", 5],
  ["[[:alpha:]$]$", "$", 12],
])("%s has the assertion %s at offset %i", (text, written, offset) => {
  expect(checkExpression(text)).toMatchObject({
    problem: expect.stringContaining(`the assertion ${written} at offset ${offset}`),
  });
});

test.each(["\\^a\\$", "[$^]a", "[^^]a", "\\\\bin\\\\b", "\\Q^$\\E", "[]$]x", "a[\\]$]"])(
  "%s has no assertion: escaped or in a class, it is a character",
  (text) => {
    expect(checkExpression(text)).toEqual({ broad: false });
  },
);

test.each([
  ["(.{1,200}){1,200}"],
  ["(.{1,30}){1,30}"],
  [".{1000}"],
  ["((a{1,9}){1,9}){1,9}"],
  ["(?:[a-z]{900}|b){1,3}"],
  ["a{500}b{500}c{500}"],
])("%s is rejected for its size", (text) => {
  expect(checkExpression(text)).toMatchObject({
    problem: expect.stringMatching(/is too large|invalid repeat count/),
  });
});

test.each([
  ".*",
  ".*.*",
  ".+",
  ".+|.*",
  "(.*)",
  "(?:(.*))",
  "(.*)*",
  "[\\s\\S]*",
  "[\\d\\D]+",
  "(?s).*",
  "(?-s).*",
  "(?i:.*)",
  ".{0,400}",
  ".{2,}",
  "..*",
  ".*.",
  ".*?",
  "[ -~]*",
  "[[:print:]]+",
  "[^\\x00]*",
  "\\p{Any}*",
  "\\PC*",
  "(?:.|\\n)*",
  "a.*|[^a].*",
  "x?.*",
  ".*|never",
  "(.*a|.*[^a])",
  ".*\\S.*",
  ".*[^ ].*",
  ".*\\w.*",
  ".*[a-z0-9].*",
  ".*[\\\\/].*",
  ".{3,}",
])("%s is too broad", (text) => {
  expect(checkExpression(text)).toEqual({ broad: true });
});

test.each([
  ".*\\\\tool\\.exe",
  ".*\\\\.*",
  ".*\\.exe",
  "[^ ]*",
  "\\S*",
  "[^q]*",
  ".{300,}",
  ".",
  ".{1,15}",
  "[a-z]*",
  "(a+)+",
  ".*/.*",
  ".*\\..*",
  ".*[a-z]{3}.*",
  ".* .*",
  ".*--snapshot \\d+",
  "(?i)C:\\\\Windows\\\\.*",
])("%s is not too broad", (text) => {
  expect(checkExpression(text)).toEqual({ broad: false });
});
