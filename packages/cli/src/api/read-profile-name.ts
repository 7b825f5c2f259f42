import { InvalidArgumentError } from "commander";
import { profileNames } from "./profiles.ts";
import { offering } from "../options/offer.ts";
import { readText } from "../options/read-text.ts";

/** Reads the name of a stored profile. */
export const readStoredProfile = offering(readText("the name of a profile"), ({ context }) =>
  profileNames(context),
);

/** Reads the name of a profile to store. */
export const readProfileName = offering(
  (text: string): string => {
    if (/^[\w][\w.@-]{0,99}$/.test(text)) return text;
    throw new InvalidArgumentError(
      "Expected at most 100 letters, digits and _ . - @, of which the first is a letter, a digit or _.",
    );
  },
  ({ context }) => profileNames(context),
);
