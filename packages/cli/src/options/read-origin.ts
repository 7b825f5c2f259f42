import { InvalidArgumentError } from "commander";

/** Reads the origin of a URL, such as `https://platform.example`. */
export function readOrigin(text: string): string {
  if (/^https?:\/\/[^/?#@\s]+\/?$/.test(text) && URL.canParse(text)) return new URL(text).origin;
  throw new InvalidArgumentError(
    "Expected a URL without a path, such as https://platform.example.",
  );
}
