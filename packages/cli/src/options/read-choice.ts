import { nearest } from "@security-platform/fql";
import { InvalidArgumentError } from "commander";
import { offering } from "./offer.ts";

/** Reads one of several words; the error for any other word suggests the nearest. */
export const readChoice = <Choice extends string>(choices: readonly Choice[]) =>
  offering((text: string): Choice => {
    const choice = choices.find((each) => each === text);
    if (choice !== undefined) return choice;
    throw new InvalidArgumentError(
      `Expected one of ${choices.join(", ")}.${didYouMean(text, choices)}`,
    );
  }, choices);

/** ` Did you mean serve?`, or "" if no candidate is near. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const near = nearest(word, candidates);
  return near === undefined ? "" : ` Did you mean ${near}?`;
}
