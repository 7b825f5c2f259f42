import type { ParsedVersion, VersionOrdering } from "../versions/ordering.ts";
import { semanticVersions } from "../versions/semantic.ts";
import type { OsvAffected, OsvEvent, OsvRange } from "./osv.ts";

/** An event of a range at its version; `undefined` is before every version. */
interface Point {
  readonly at: ParsedVersion | undefined;
  readonly kind: "introduced" | "fixed" | "last_affected";
  readonly text: string;
}

export type Verdict =
  | { readonly affected: false }
  | {
      readonly affected: true;
      /** The fix of each range that contains the version, if it has one. */
      readonly fixed: readonly string[];
    };

/**
 * Whether a version is affected: listed in `versions`, or inside a range. Commit ranges are
 * ignored, because inventories contain no commits. Follows the evaluation rules of the OSV schema.
 */
export function verdictFor(
  affected: OsvAffected,
  text: string,
  version: ParsedVersion,
  ordering: VersionOrdering,
): Verdict {
  const fixes: string[] = [];
  let inside = affected.versions?.includes(text) ?? false;
  for (const range of affected.ranges ?? []) {
    if (range.type === "GIT") continue;
    const rules = range.type === "SEMVER" ? semanticVersions : ordering;
    const subject = range.type === "SEMVER" ? rules.parse(text) : version;
    if (subject === undefined) continue;
    if (!isBeforeLimits(range, subject, rules)) continue;
    const verdict = verdictInRange(pointsOf(range, rules), subject, rules);
    if (!verdict.affected) continue;
    inside = true;
    fixes.push(...verdict.fixed);
  }
  return inside ? { affected: true, fixed: [...new Set(fixes)] } : { affected: false };
}

/**
 * Whether the version is before one of the range's limits, if it has any; `*` is after every
 * version.
 */
function isBeforeLimits(
  range: OsvRange,
  version: ParsedVersion,
  ordering: VersionOrdering,
): boolean {
  const limits = range.events.flatMap(({ limit }) => limit ?? []);
  if (limits.length === 0) return true;
  return limits.some((text) => {
    const limit = text === "*" ? undefined : ordering.parse(text);
    return limit === undefined || ordering.compare(version, limit) < 0;
  });
}

function verdictInRange(
  points: readonly Point[],
  version: ParsedVersion,
  ordering: VersionOrdering,
): Verdict {
  let affected = false;
  for (const [index, { at, kind }] of points.entries()) {
    const position = at === undefined ? 1 : ordering.compare(version, at);
    if (position < 0) break;
    if (kind === "introduced") affected = true;
    else if (kind === "fixed" || position > 0) affected = false;
    if (position === 0 && kind === "last_affected") return verdictFrom(points, index);
  }
  if (!affected) return { affected: false };
  const next = points.findIndex(({ at }) => at !== undefined && ordering.compare(version, at) < 0);
  return verdictFrom(points, next < 0 ? points.length : next);
}

function verdictFrom(points: readonly Point[], from: number): Verdict {
  const end = points.slice(from).find(({ kind }) => kind !== "introduced");
  return { affected: true, fixed: end?.kind === "fixed" ? [end.text] : [] };
}

const sorted = new WeakMap<OsvRange, readonly Point[]>();

/** Events in the order of their versions. Events whose version does not parse are left out. */
function pointsOf(range: OsvRange, ordering: VersionOrdering): readonly Point[] {
  const sortedPoints = sorted.get(range);
  if (sortedPoints !== undefined) return sortedPoints;
  const points = range.events.flatMap((event) => pointOf(event, ordering));
  points.sort((left, right) => comparePoints(left, right, ordering));
  sorted.set(range, points);
  return points;
}

function pointOf(event: OsvEvent, ordering: VersionOrdering): Point[] {
  for (const kind of ["introduced", "fixed", "last_affected"] as const) {
    const text = event[kind];
    if (text === undefined) continue;
    if (kind === "introduced" && text === "0") return [{ at: undefined, kind, text }];
    const at = ordering.parse(text);
    return at === undefined ? [] : [{ at, kind, text }];
  }
  return [];
}

/** The order of events with the same version: a fix, the next introduction, the last affected version. */
const places = { fixed: 0, introduced: 1, last_affected: 2 };

function comparePoints(left: Point, right: Point, ordering: VersionOrdering): number {
  if (left.at === undefined || right.at === undefined) {
    return Number(left.at !== undefined) - Number(right.at !== undefined);
  }
  return ordering.compare(left.at, right.at) || places[left.kind] - places[right.kind];
}

/** The problems of a range: place, value and what was expected. Empty for a valid range. */
export function rangeProblems(
  range: OsvRange,
  place: string,
  ordering: VersionOrdering,
): readonly { readonly at: string; readonly message: string }[] {
  if (range.type === "GIT") return [];
  const rules = range.type === "SEMVER" ? semanticVersions : ordering;
  const problems: { at: string; message: string }[] = [];
  for (const [index, event] of range.events.entries()) {
    const [name, text, ...others] = Object.entries(event).flat() as string[];
    const at = `${place}.events[${index}]`;
    if (name === undefined || text === undefined || others.length > 0) {
      problems.push({
        at,
        message: "expected exactly one of introduced, fixed, last_affected, limit",
      });
    } else if (!(name === "introduced" && text === "0") && name !== "limit" && !rules.parse(text)) {
      problems.push({
        at: `${at}.${name}`,
        message: `"${text}" is not a version of the ecosystem`,
      });
    }
  }
  if (problems.length > 0) return problems;
  const points = pointsOf(range, rules);
  if (!points.some(({ kind }) => kind === "introduced")) {
    return [{ at: `${place}.events`, message: 'no event has "introduced"; expected at least one' }];
  }
  if (points[0]?.kind !== "introduced") {
    const { kind, text } = points[0] as Point;
    const message = `"${kind}": "${text}" is before every "introduced"; no version is in the range`;
    return [{ at: `${place}.events`, message }];
  }
  return [];
}
