import type { Schema } from "../contract.ts";

/** `count` different well-formed texts similar to the example; empty if that is not possible. */
export function variants(example: unknown, items: Schema, count: number): readonly string[] {
  const first: unknown = Array.isArray(example) ? example[0] : example;
  const options = items["enum"] as readonly string[] | undefined;
  if (options !== undefined && options.length >= count) return options.slice(0, count);
  const pattern =
    typeof items["pattern"] === "string" ? new RegExp(items["pattern"], "u") : undefined;
  const wellFormed = (text: string): boolean => pattern === undefined || pattern.test(text);
  const makers: readonly ((number: number) => string)[] = [
    (number) => ending(first, String(number).padStart(4, "0")),
    (number) => letters(number),
    (number) => number.toString(16).padStart(32, "0"),
    (number) => number.toString(16).padStart(64, "0"),
    (number) => `00000000-0000-4000-8000-${number.toString(16).padStart(12, "0")}`,
  ];
  const numbers = Array.from({ length: count }, (_none, index) => index + 1);
  return makers.map((make) => numbers.map(make)).find((texts) => texts.every(wellFormed)) ?? [];
}

/** The example with its last characters replaced. */
const ending = (example: unknown, tail: string): string =>
  typeof example === "string" && example.length > tail.length
    ? example.slice(0, -tail.length) + tail
    : tail;

/** 1 → `va`, 27 → `vba`: for patterns without digits. */
function letters(number: number): string {
  let text = "";
  for (let rest = number; rest > 0; rest = Math.floor(rest / 26)) {
    text = String.fromCharCode(97 + (rest % 26)) + text;
  }
  return `v${text}`;
}
