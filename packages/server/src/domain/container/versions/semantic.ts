import { parse, type SemVer } from "semver";
import { versionOrdering } from "./ordering.ts";

/**
 * Semantic Versioning 2.0.0, as npm, Cargo and Go use it. A leading `v` is accepted, and so are the
 * older forms that npm accepts (`1.2.3beta`). Build metadata is ignored.
 */
export const semanticVersions = versionOrdering<SemVer>({
  parse: (text) => parse(text, { loose: true }) ?? undefined,
  // The function of the library would read the older forms again, and refuse them.
  compare: (left, right) => left.compare(right),
});
