import { isLarger, type Failure, type Verdict } from "../change.ts";
import { isObject, type JsonObject } from "../json.ts";

/** `info.version` of a document as written. */
export function versionIn(root: JsonObject): string {
  const { info } = root;
  return isObject(info) && info["version"] !== undefined ? String(info["version"]) : "";
}

type Numbers = readonly [number, number, number];

/** `v2`, `2.1`, `2.1.0-beta` and `2024-01-31` all have three numbers. */
function numbersOf(version: string): Numbers | undefined {
  const match = /^v?(\d+)(?:[.-](\d+))?(?:[.-](\d+))?(?:[-+.].*)?$/i.exec(version.trim());
  if (match === null) return undefined;
  const [major = 0, minor = 0, patch = 0] = match.slice(1).map((each) => Number(each ?? 0));
  return [major, minor, patch];
}

/** The part of the version that was raised; undefined if the version is lower. */
function raised(before: Numbers, after: Numbers): Verdict | undefined {
  const names = ["major", "minor", "patch"] as const;
  for (const [index, name] of names.entries()) {
    const step = (after[index] ?? 0) - (before[index] ?? 0);
    if (step !== 0) return step > 0 ? name : undefined;
  }
  return "none";
}

/**
 * Checks the version against the changes. Before 1.0.0 a minor version may contain breaking
 * changes, unless the policy says otherwise.
 */
export function checkVersion(
  before: string,
  after: string,
  verdict: Verdict,
  { zeroMayBreak = true }: { readonly zeroMayBreak?: boolean } = {},
): readonly Failure[] {
  const place = "#/info/version";
  const [from, to] = [numbersOf(before), numbersOf(after)];
  if (from === undefined || to === undefined) {
    if (before !== after || verdict === "none") return [];
    const message = `the changes are ${verdict} and the version is still ${before}; give it another one`;
    return [{ rule: "version-not-raised", place, message }];
  }
  const step = raised(from, to);
  if (step === undefined) {
    const message = `the version went down from ${before} to ${after}`;
    return [{ rule: "version-decreased", place, message }];
  }
  const needed = zeroMayBreak && from[0] === 0 && verdict !== "none" ? lessened[verdict] : verdict;
  if (!isLarger(needed, step)) return [];
  const message = `the changes are ${verdict}: raise the version from ${before} to ${next(from, needed)} or higher, it is ${after}`;
  return [{ rule: "version-not-raised", place, message }];
}

const lessened = { major: "minor", minor: "patch", patch: "patch" } as const;

function next([major, minor, patch]: Numbers, step: Verdict): string {
  if (step === "major") return `${major + 1}.0.0`;
  if (step === "minor") return `${major}.${minor + 1}.0`;
  return `${major}.${minor}.${patch + 1}`;
}
