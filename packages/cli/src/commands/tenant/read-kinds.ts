import { InvalidArgumentError } from "commander";
import { didYouMean } from "../../options/read-choice.ts";
import type { Kind } from "./kind.ts";
import { kinds } from "./kinds.ts";

/** The kinds that files describe, in the order of their references. */
export const describedKinds: readonly Kind[] = kinds.filter(({ create }) => create !== undefined);

/** Reads names of kinds, separated by commas. */
export function readKinds(text: string): readonly Kind[] {
  const names = text.split(",").map((name) => name.trim());
  const all = describedKinds.map(({ name }) => name);
  const unknown = names.find((name) => !all.includes(name));
  if (unknown !== undefined) {
    throw new InvalidArgumentError(
      `Expected some of ${all.join(", ")}.${didYouMean(unknown, all)}`,
    );
  }
  return describedKinds.filter(({ name }) => names.includes(name));
}
