import type { Failure, Finding } from "../change.ts";
import { isDay } from "../day.ts";
import { canonicalText, isObject, shown, type Json, type JsonObject } from "../json.ts";
import { CannotJudge } from "../read/cannot-judge.ts";
import { positionsOf } from "../read/lines.ts";
import { parseText } from "../read/parse.ts";
import { rules } from "../rules/rules.ts";
import { matchesGlob } from "../glob.ts";
import { nearest, unknownWord } from "../nearest.ts";

/** Breaking changes that are accepted; `*` in the rule or the place stands for any characters. */
export interface Approval {
  readonly rule: string;
  /** A change's place, or only its operation, or only its pointer. */
  readonly place: string;
  readonly reason: string;
  /** The last day of validity. */
  readonly expiry: string;
  /** Where it is written: file, line and column. */
  readonly at?: string;
}

const members = ["rule", "place", "reason", "expiry"] as const;

/** Reads a list of approvals. Throws `CannotJudge` with the invalid entry. */
export function parseApprovals(text: string, name: string): readonly Approval[] {
  const parsed = parseText(text, name);
  if (parsed === null || parsed === undefined) return [];
  if (!Array.isArray(parsed)) {
    throw new CannotJudge(
      `${name}:1:1: expected a list of approvals with ${members.join(", ")}, got ${shown(parsed)}`,
    );
  }
  const entries = parsed as readonly Json[];
  const positions = positionsOf(
    text,
    entries.map((_, index) => `#/${index}`),
  );
  return entries.map((entry, index) => {
    const { line, column } = positions.get(`#/${index}`) ?? { line: 1, column: 1 };
    return parseApproval(entry, `${name}:${line}:${column}`, index + 1);
  });
}

function parseApproval(entry: Json, at: string, index: number): Approval {
  const words = `${at}: approval ${index}`;
  if (!isObject(entry)) throw new CannotJudge(`${words}: expected an object, got ${typeof entry}`);
  const unknown = Object.keys(entry).find((key) => !members.includes(key as "rule"));
  if (unknown !== undefined) {
    const near = nearest(unknown, members);
    const cure = near === undefined ? `expected ${members.join(", ")}` : `did you mean ${near}?`;
    throw new CannotJudge(`${words}: the member ${unknown} is not known; ${cure}`);
  }
  for (const member of members) {
    const value = entry[member];
    if (typeof value === "string" && value.trim() !== "") continue;
    const got = value === undefined ? "but it is absent" : `got ${JSON.stringify(value)}`;
    throw new CannotJudge(`${words}: expected the text ${member}, ${got}`);
  }
  const { rule, place, reason, expiry } = entry as JsonObject & Approval;
  const isKnown = Object.keys(rules).some((each) => matchesGlob(rule, each));
  if (!isKnown) {
    throw new CannotJudge(
      `${words}: ${unknownWord("rule", rule, Object.keys(rules))}; spec-gate rules lists all`,
    );
  }
  if (!isDay(expiry)) {
    throw new CannotJudge(`${words}: expected an expiry such as 2030-12-31, got ${expiry}`);
  }
  return { rule, place, reason, expiry, at };
}

export interface Approved {
  readonly approved: ReadonlyMap<Finding, Approval>;
  readonly failures: readonly Failure[];
  readonly notes: readonly string[];
}

/** The approvals of the revision, and those that are already in the base. */
export interface Approvals {
  readonly now: readonly Approval[];
  readonly before: readonly Approval[];
}

export const noApprovals: Approvals = { now: [], before: [] };

/**
 * Matches approvals with breaking changes. An expired or unused approval is a failure, also if nothing
 * changed. An approval that is already in the base was used by an earlier change: a note asks to remove
 * it.
 */
export function applyApprovals(
  changes: readonly Finding[],
  approvals: Approvals,
  today: Date,
): Approved {
  const approved = new Map<Finding, Approval>();
  const failures: Failure[] = [];
  const notes: string[] = [];
  const earlier = new Set(approvals.before.map(keyOf));
  const seen = new Map<string, Approval>();
  for (const approval of approvals.now) {
    const { rule, place, expiry, at } = approval;
    const where = at === undefined ? "" : `${at}: `;
    const first = seen.get(keyOf(approval));
    if (first === undefined) seen.set(keyOf(approval), approval);
    else {
      const there = first.at === undefined ? "" : `, at ${first.at}`;
      notes.push(
        `${where}the approval of ${rule} at ${place} is there already${there}; remove one`,
      );
    }
    if (isOver(expiry, today)) {
      const message = `${where}the approval of ${rule} expired on ${expiry}; remove it, or renew it with a reason`;
      failures.push({ rule: "approval-expired", place, message });
      continue;
    }
    const matches = changes.filter(
      (change) =>
        change.verdict === "major" && matchesGlob(rule, change.rule) && isAt(change, place),
    );
    for (const change of matches) approved.set(change, approval);
    if (matches.length > 0) continue;
    if (earlier.has(keyOf(approval))) {
      notes.push(`the approval of ${rule} at ${place} is already in the base; remove it`);
      continue;
    }
    const near = nearest(
      place,
      changes.filter((change) => matchesGlob(rule, change.rule)).map((change) => change.place),
    );
    const hint = near === undefined ? "remove it" : `did you mean ${near}?`;
    failures.push({
      rule: "approval-unused",
      place,
      message: `${where}the approval of ${rule} matches no breaking change; ${hint}`,
    });
  }
  return { approved, failures, notes };
}

const keyOf = ({ rule, place }: Approval): string => `${rule} ${place}`;

/** Whether the last day of an approval is past. */
export const isOver = (expiry: string, today: Date): boolean =>
  Date.parse(expiry) + day <= today.getTime();

const day = 24 * 60 * 60 * 1000;

const isAt = ({ place, pointer, operations }: Finding, approvedPlace: string): boolean =>
  [place, pointer, ...operations, ...operations.map((operation) => `${operation} ${pointer}`)].some(
    (each) => each === approvedPlace || matchesGlob(approvedPlace, each),
  );

/** Adds entries to the text of a file of approvals, which keeps its comments. */
export function withEntries(text: string, name: string, added: readonly Approval[]): string {
  const earlier = parseApprovals(text, name);
  const dash = /^( *)- /m.exec(text)?.[1] ?? "";
  const entries = added.map(({ rule, place, reason, expiry }) =>
    [
      `${dash}- rule: ${JSON.stringify(rule)}`,
      `${dash}  place: ${JSON.stringify(place)}`,
      `${dash}  reason: ${JSON.stringify(reason)}`,
      `${dash}  expiry: ${JSON.stringify(expiry)}`,
    ].join("\n"),
  );
  const head = text.trim() === "" || text.endsWith("\n") ? text.replace(/^\s+$/, "") : `${text}\n`;
  const withoutPlace = ({ rule, place, reason, expiry }: Approval): JsonObject => ({
    rule,
    place,
    reason,
    expiry,
  });
  const all = [...earlier, ...added];
  const isFlow = /^\s*\[/.test(text);
  const written = isFlow
    ? `${JSON.stringify(all.map(withoutPlace), null, 2)}\n`
    : `${head}${entries.join("\n")}\n`;
  if (
    canonicalText(parseApprovals(written, name).map(withoutPlace)) !==
    canonicalText(all.map(withoutPlace))
  ) {
    throw new CannotJudge(
      `${name}: approvals cannot be added to this file; write it as a list with one dash an entry`,
    );
  }
  return written;
}
