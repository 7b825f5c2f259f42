import { compare, valid } from "@renovatebot/pep440";
import { versionOrdering } from "./ordering.ts";

/** Versions of Python packages, in all forms that PEP 440 accepts. */
export const pypiVersions = versionOrdering<string>({
  parse: (text) => valid(text.trim()) ?? undefined,
  compare,
});
