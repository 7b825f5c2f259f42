import { InvalidArgumentError } from "commander";

const form = /^https?:\/\/[^/\\?#@\s]+(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)*\/?$/;

/** Reads the public URL of a platform, such as `https://platform.example/api`. The result has no slash at its end. */
export function readPublicUrl(text: string): string {
  if (form.test(text) && URL.canParse(text)) return new URL(text).href.replace(/\/$/, "");
  throw new InvalidArgumentError(
    "Expected a URL such as https://platform.example or https://platform.example/api. Its path may have letters, digits, and . _ ~ -",
  );
}
