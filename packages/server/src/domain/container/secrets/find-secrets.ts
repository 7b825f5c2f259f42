import { secretPatterns } from "./patterns.ts";
import { entropyOf, isIdentifier, isPlaceholder } from "./randomness.ts";

export interface FoundSecret {
  /** The line, counted from 1. */
  readonly line: number;
  /** The pattern. */
  readonly pattern: string;
  /** The name that the secret is assigned to; empty if there is none. */
  readonly name: string;
  readonly secret: string;
}

/** The pattern for values that are detected only by their names and randomness. */
export const assignedSecret = "assigned-secret";

/** Maximum number of secrets reported for one text. */
const mostSecrets = 100;

/** Files with many hashes. Only secrets with a known format are searched for in them. */
const lockFile =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lock|Cargo\.lock|Gemfile\.lock|poetry\.lock|uv\.lock|pdm\.lock|Pipfile\.lock|composer\.lock|go\.sum|packages\.lock\.json|RECORD)$|\.(?:deps\.json|map|min\.js|svg|sum|sha256|md5)$/;

export const isLockFile = (path: string): boolean => lockFile.test(path);

/** Finds secrets by their format, and by the names and randomness of assigned values. */
export function findSecrets(text: string, path = ""): readonly FoundSecret[] {
  const secrets = new Map<string, FoundSecret>();
  const lines = lineCounter(text);
  const add = (secret: string, offset: number, pattern: string): void => {
    if (secrets.size >= mostSecrets || secrets.has(secret)) return;
    secrets.set(secret, { line: lines(offset), pattern, name: nameBefore(text, offset), secret });
  };
  for (const { name, contains, pattern } of secretPatterns) {
    if (!contains.some((part) => text.includes(part))) continue;
    for (const match of text.matchAll(pattern)) {
      const secret = match[1] ?? match[0];
      if (name !== "private-key" && isPlaceholder(secret)) continue;
      add(secret, match.index + match[0].indexOf(secret), name);
    }
  }
  if (!isLockFile(path)) {
    for (const { name, value, offset } of assignmentsIn(text)) {
      if (isSecretValue(name, value)) add(value, offset, assignedSecret);
    }
  }
  return [...secrets.values()].toSorted((left, right) => left.line - right.line);
}

/** Names whose values are secrets. */
const secretName =
  /(?:pass(?:word|wd|phrase)|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credential|auth[_-]?key|signing[_-]?key|encryption[_-]?key)/i;
/** Names of public values, and of values that only describe a secret. */
const publicName =
  /hash|digest|checksum|integrity|sha\d|md5|commit|revision|fingerprint|public|_id$|[a-z]Id$|url|uri|path|file|name|policy|expir|length|size|type|count|limit|prefix|header|field|column|label|regex|pattern|format/i;

/**
 * Whether an assigned value looks like a secret: it is random, and neither an identifier nor a
 * placeholder.
 */
export function isSecretValue(name: string, value: string): boolean {
  if (!secretName.test(name) || publicName.test(name)) return false;
  if (value.length < 8 || value.length > 512) return false;
  if (isIdentifier(value) || isPlaceholder(value)) return false;
  // The file with the secret.
  if (/^(?:file:)?(?:~|\.{1,2})?(?:\/[a-z0-9_.@-]+){2,}\/?$/.test(value)) return false;
  // Values that are code: a.b.c, ENV_NAME, some-words.
  if (/^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$/.test(value)) return false;
  if (/^[A-Z][A-Z_]+$/.test(value) || /^[a-z]+(?:[-_/ ][a-z]+)*$/i.test(value)) return false;
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(value)).length;
  const isPassword = /pass/i.test(name);
  return kinds >= 2 && entropyOf(value) >= (isPassword ? 2.5 : value.length < 20 ? 3 : 3.3);
}

interface Assignment {
  readonly name: string;
  readonly value: string;
  readonly offset: number;
}

/**
 * `name = value`, `name: value`, `"name": "value"`; the name ends in a word that may stand for a
 * secret.
 */
const assignment =
  /([A-Za-z_][\w.-]{0,63})["']?[ \t]{0,4}(?::=|=>|[:=])[ \t]{0,4}(?:"([^"\n]{8,512})"|'([^'\n]{8,512})'|([^\s"'`,;<>]{8,512}))/g;

function* assignmentsIn(text: string): Generator<Assignment> {
  if (!secretName.test(text)) return;
  for (const match of text.matchAll(assignment)) {
    const [whole, name = "", double, single, bare] = match;
    const value = double ?? single ?? bare ?? "";
    yield { name, value, offset: match.index + whole.lastIndexOf(value) };
  }
}

/** The name on the left of an offset in the same line. */
function nameBefore(text: string, offset: number): string {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  const before = text.slice(Math.max(start, offset - 256), offset);
  return (
    /([A-Za-z_][\w.-]{0,63})["']?\s{0,4}(?::=|=>|[:=])\s{0,4}["']?[^"'=\s]{0,16}$/.exec(
      before,
    )?.[1] ?? ""
  );
}

/** The line of an offset. The line starts are computed once, and only if there is a finding. */
function lineCounter(text: string): (offset: number) => number {
  let starts: number[] | undefined;
  return (offset) => {
    starts ??= [...text.matchAll(/\n/g)].map(({ index }) => index + 1);
    const after = starts.findIndex((start) => start > offset);
    return (after < 0 ? starts.length : after) + 1;
  };
}

/** The first characters of a secret, so that its owner recognises it. */
export function maskSecret(secret: string): string {
  const shown = Math.min(4, Math.floor(secret.length / 4));
  return `${secret.slice(0, shown)}${"*".repeat(Math.min(secret.length - shown, 12))}`;
}
