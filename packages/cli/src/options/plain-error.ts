import { printable } from "../terminal/printable.ts";

/** The texts of the parser, which is made for programmers, and what people read instead. */
const rewordings: readonly (readonly [RegExp, string])[] = [
  [/^option '(?:-\w, )?(--[\w-]+)[^']*' argument '(.*)' is invalid\. /s, "$1 cannot be '$2'. "],
  [/^option '[^']*' value '(.*)' from env '(\w+)' is invalid\. /s, "$2 cannot be '$1'. "],
  [/^command-argument value '(.*)' is invalid for argument '([^']*)'\. /s, "<$2> cannot be '$1'. "],
  [/^option '(?:-\w, )?(--[\w-]+) ?([^']*)' argument missing/, "$1 needs a value: $1 $2"],
  [/^required option '(?:-\w, )?(--[\w-]+) ?([^']*)' not specified/, "$1 $2 is required"],
  [/^missing required argument '([^']*)'/, "<$1> is missing"],
  // The value beside a mistyped flag may be a password.
  [/^(unknown option '--[\w-]+)=[^]*'(\n[^\n]*)?$/, "$1'$2"],
  [/^(unknown .*)\n\((Did you mean .*)\)$/m, "$1. $2"],
  [/^too many arguments for '([^']*)'\. .*: (.*)\.$/m, "'$1' does not accept these arguments: $2."],
];

/** A URL that may have a password. */
const urlWithUser = /[^\s'"]*\/\/[^\s'"]*@[^\s'"]*/g;

/** An error of the parser in plain words: the place, the value, and what was expected. */
export function plainError(text: string): string {
  const message = text.replace(/^error: /, "");
  const [pattern, words] = rewordings.find(([each]) => each.test(message)) ?? [/^/, ""];
  const plain = message.replace(pattern, words).replace(refusedValue, shown);
  return `secplat: ${plain.split("\n").map(printable).join("\n").replaceAll(urlWithUser, "…")}`;
}

const refusedValue = /(?<= cannot be ').*(?='\. )/s;
const longest = 100;

/** A value of the command line on one line. */
const shown = (value: string): string =>
  printable(value.length > longest ? `${value.slice(0, longest)}…` : value);
