import { readInteger } from "../options/read-integer.ts";
import type { IntegerSetting, ListSetting, SwitchSetting, TextSetting } from "./setting-types.ts";

/** Timers fire at once beyond this many milliseconds. */
export const longestTimer = 2 ** 31 - 1;

export const integer = (
  name: string,
  value: string,
  about: string,
  { minimum, maximum, ...more }: Omit<IntegerSetting, "name" | "value" | "about" | "type" | "read">,
): IntegerSetting => {
  const read = readInteger(minimum, maximum);
  return { type: "integer", name, value, about, minimum, maximum, read, ...more };
};

export const text = (
  name: string,
  value: string,
  about: string,
  more: Omit<TextSetting, "name" | "value" | "about" | "type">,
): TextSetting => ({ type: "text", name, value, about, ...more });

export const list = (
  name: string,
  value: string,
  about: string,
  more: Omit<ListSetting, "name" | "value" | "about" | "type">,
): ListSetting => ({ type: "list", name, value, about, ...more });

export const aSwitch = (
  name: string,
  about: string,
  more: Omit<SwitchSetting, "name" | "about" | "type">,
): SwitchSetting => ({ type: "switch", name, about, ...more });
