import { InvalidArgumentError } from "commander";
import { printable } from "../terminal/printable.ts";
import type { Setting, SwitchSetting } from "./setting-types.ts";

/** A value, or what is wrong with its text; messages name the place that has it. */
export type ReadValue =
  { readonly value: unknown } | { readonly problem: (place: string) => string };

/** Reads the text of a setting from a flag, a variable or a file. `before`: the values of a list so far. */
export function readValue(
  setting: Exclude<Setting, SwitchSetting>,
  text: string,
  before?: unknown,
): ReadValue {
  const wrong = controlCharacter.exec(text);
  if (wrong !== null) {
    const [character] = wrong;
    return {
      problem: (place) =>
        `${place} has a control character, ${printable(character)}, as character ${wrong.index + 1}; remove it`,
    };
  }
  const find = setting.type === "text" ? setting.problem : undefined;
  if (find !== undefined && find(text, "") !== null) {
    return { problem: (place) => find(text, place) ?? "" };
  }
  try {
    return { value: setting.read === undefined ? text : setting.read(text, before as never) };
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    return { problem: (place) => `${place} cannot be ${quoted(setting, text)}. ${error.message}` };
  }
}

/** No address, URL or name of a folder has one; NUL would end it early. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const controlCharacter = /[\u0000-\u001f\u007f]/;

/** The value in quotes for an error, or `this` if it may have a secret. */
export function quoted(setting: Setting, value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if ("isSecret" in setting || mayHoldPassword(text)) return "this";
  return `'${printable(text.length > 100 ? `${text.slice(0, 100)}…` : text)}'`;
}

/** Whether a text looks like a URL with a user, whatever setting it was given to. */
export function mayHoldPassword(text: string): boolean {
  const start = text.indexOf("//");
  return start !== -1 && text.includes("@", start);
}
