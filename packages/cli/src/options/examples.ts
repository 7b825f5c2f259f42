/** The examples at the end of a command's help, for `addHelpText("after", …)`. */
export const examples = (...lines: readonly string[]): string =>
  ["", "Examples:", ...lines.map((line) => `  ${line}`)].join("\n");
