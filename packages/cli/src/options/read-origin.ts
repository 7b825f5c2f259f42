import { InvalidArgumentError } from "commander";

/** Reads scheme and authority of an address, such as `https://platform.example`. */
export function readOrigin(text: string): string {
  if (/^https?:\/\/[^/?#@\s]+\/?$/.test(text) && URL.canParse(text)) return new URL(text).origin;
  throw new InvalidArgumentError(
    "Expected an address without a path, such as https://platform.example.",
  );
}
