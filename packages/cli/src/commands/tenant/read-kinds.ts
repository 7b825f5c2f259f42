import { InvalidArgumentError } from "commander";
import { offering } from "../../options/offer.ts";
import { didYouMean } from "../../options/read-choice.ts";
import type { Kind } from "./kind.ts";
import { kinds } from "./kinds.ts";

/** The kinds that files describe, in the order of their references. */
export const describedKinds: readonly Kind[] = kinds.filter(({ create }) => create !== undefined);

const all = describedKinds.map(({ name }) => name);

/** Reads names of kinds, separated by commas. */
export const readKinds = offering(kindsOf, all);

function kindsOf(text: string): readonly Kind[] {
  const names = text.split(",").map((name) => name.trim());
  const unknown = names.find((name) => !all.includes(name));
  if (unknown !== undefined) {
    throw new InvalidArgumentError(
      `Expected some of ${all.join(", ")}.${didYouMean(unknown, all)}`,
    );
  }
  return describedKinds.filter(({ name }) => names.includes(name));
}
