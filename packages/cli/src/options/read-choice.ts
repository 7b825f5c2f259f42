import { nearest } from "@security-platform/fql";
import { InvalidArgumentError } from "commander";

/** Reads one of a few words; a wrong one is answered with the nearest. */
export const readChoice =
  <Choice extends string>(choices: readonly Choice[]) =>
  (text: string): Choice => {
    const choice = choices.find((each) => each === text);
    if (choice !== undefined) return choice;
    throw new InvalidArgumentError(
      `Expected one of ${choices.join(", ")}.${didYouMean(text, choices)}`,
    );
  };

/** ` Did you mean serve?`, or nothing where no candidate is near. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const near = nearest(word, candidates);
  return near === undefined ? "" : ` Did you mean ${near}?`;
}
