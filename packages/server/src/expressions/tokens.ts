/** A token of an expression, with its start and end. */
export type Token = Piece & { readonly at: number; readonly end: number };

type Piece =
  /** A literal character in any notation. */
  | { readonly kind: "character"; readonly character: string }
  /** One of several characters: `.`, `\d`, a class. */
  | { readonly kind: "choice" }
  | { readonly kind: "assertion" }
  | { readonly kind: "open" | "close" | "or" | "flags" }
  | { readonly kind: "repeat"; readonly least: number; readonly most: number };

const counted = /\{(\d+)(,(\d*))?\}/y;
const opening = /\(\?(?:P?<[^>]*>|[imsU-]*:)|\(/y;
const flags = /\(\?[imsU-]+\)/y;
const hexadecimal = /\\x(?:\{([0-9A-Fa-f]+)\}|([0-9A-Fa-f]{2}))/y;
const octal = /\\(0[0-7]{0,2}|[1-7][0-7]{1,2})/y;
const property = /\\[pP](?:\{[^}]*\}|.)/suy;
const namedClass = /\[:\^?[a-z]*:\]/y;

const controls: Readonly<Record<string, string>> = {
  a: "\u0007",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/**
 * The tokens of an expression in RE2 syntax. Exact for valid expressions. The compiler checks the expression;
 * this function does not.
 */
export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const take = (piece: Piece, length: number): void => {
    tokens.push({ ...piece, at, end: at + length });
    at += length;
  };
  while (at < text.length) {
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    if (text.startsWith(String.raw`\Q`, at)) {
      at = takeQuoted(text, at, tokens);
    } else if (character === "\\") {
      const [piece, length] = readEscape(text, at);
      take(piece, length);
    } else if (character === "[") {
      take({ kind: "choice" }, classEnd(text, at) - at);
    } else if (character === ".") {
      take({ kind: "choice" }, 1);
    } else if (character === "^" || character === "$") {
      take({ kind: "assertion" }, 1);
    } else if (character === "(") {
      const setting = matchAt(flags, text, at);
      if (setting === null) take({ kind: "open" }, matchAt(opening, text, at)?.[0].length ?? 1);
      else take({ kind: "flags" }, setting[0].length);
    } else if (character === ")") {
      take({ kind: "close" }, 1);
    } else if (character === "|") {
      take({ kind: "or" }, 1);
    } else {
      const repeat = readRepeat(text, at);
      if (repeat === null) take({ kind: "character", character }, character.length);
      else take(...repeat);
    }
  }
  return tokens;
}

/** `\Q…\E`: everything between is literal. */
function takeQuoted(text: string, from: number, tokens: Token[]): number {
  const terminator = text.indexOf(String.raw`\E`, from + 2);
  const last = terminator === -1 ? text.length : terminator;
  let at = from + 2;
  for (const character of text.slice(at, last)) {
    tokens.push({ kind: "character", character, at, end: at + character.length });
    at += character.length;
  }
  return terminator === -1 ? last : last + 2;
}

function readEscape(text: string, at: number): [Piece, number] {
  const letter = text[at + 1] ?? "";
  if ("AZzbB".includes(letter) && letter !== "") return [{ kind: "assertion" }, 2];
  if ("dDsSwWC".includes(letter) && letter !== "") return [{ kind: "choice" }, 2];
  const named = matchAt(property, text, at);
  if (named !== null) return [{ kind: "choice" }, named[0].length];
  const code = matchAt(hexadecimal, text, at);
  if (code !== null) return readCode(code[1] ?? code[2] ?? "", 16, code[0].length);
  const small = matchAt(octal, text, at);
  if (small !== null) return readCode(small[1] ?? "", 8, small[0].length);
  const control = controls[letter];
  if (control !== undefined) return [{ kind: "character", character: control }, 2];
  const escaped = String.fromCodePoint(text.codePointAt(at + 1) ?? 0);
  return [{ kind: "character", character: escaped }, 1 + (letter === "" ? 0 : escaped.length)];
}

function readCode(digits: string, base: number, length: number): [Piece, number] {
  const code = Number.parseInt(digits, base);
  if (!(code <= 0x10ffff)) return [{ kind: "choice" }, length];
  return [{ kind: "character", character: String.fromCodePoint(code) }, length];
}

function readRepeat(text: string, at: number): [Piece, number] | null {
  const lazy = (length: number): number => (text[at + length] === "?" ? length + 1 : length);
  const unbounded = Number.POSITIVE_INFINITY;
  switch (text[at]) {
    case "*":
      return [{ kind: "repeat", least: 0, most: unbounded }, lazy(1)];
    case "+":
      return [{ kind: "repeat", least: 1, most: unbounded }, lazy(1)];
    case "?":
      return [{ kind: "repeat", least: 0, most: 1 }, lazy(1)];
    case "{": {
      const count = matchAt(counted, text, at);
      if (count === null) return null;
      const least = Number(count[1]);
      const most = count[2] === undefined ? least : count[3] ? Number(count[3]) : unbounded;
      return [{ kind: "repeat", least, most }, lazy(count[0].length)];
    }
    default:
      return null;
  }
}

/** The end of the class that begins at `from`. A bracket at the start of a class is part of it. */
function classEnd(text: string, from: number): number {
  let at = from + 1;
  if (text[at] === "^") at += 1;
  if (text[at] === "]") at += 1;
  while (at < text.length && text[at] !== "]") {
    if (text[at] === "\\") at += 2;
    else at += matchAt(namedClass, text, at)?.[0].length ?? 1;
  }
  return Math.min(at + 1, text.length);
}
