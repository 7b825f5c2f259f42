import { printable } from "./excerpt.ts";
import { type Advice, errorAt, type FqlSyntaxError } from "./syntax-error.ts";

const blank = characters(" \t\r\n");
const operator = characters("!~*<>=");
const identStart = characters("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_");
const ident = characters("0123456789", identStart);
const word = characters(".-@/*", ident);

/**
 * Reads the tokens of a filter from left to right. The meaning of a character depends on its
 * position (a star is an operator or part of a pattern), so the parser requests a specific kind of
 * token. The lexer never moves back, so reading is linear.
 */
export class Lexer {
  readonly text: string;
  offset = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** The next character; "" at the end. */
  get next(): string {
    return this.text.charAt(this.offset);
  }

  get atEnd(): boolean {
    return this.offset >= this.text.length;
  }

  get atQuote(): boolean {
    return this.next === "'" || this.next === '"';
  }

  get afterBlank(): boolean {
    return this.offset > 0 && blank.has(this.text.charCodeAt(this.offset - 1));
  }

  /** Whether a property can start here. */
  get atProperty(): boolean {
    return identStart.has(this.text.charCodeAt(this.offset));
  }

  skipBlank(): void {
    this.#run(blank);
  }

  /** Consumes `char` if it is next. */
  take(char: string): boolean {
    if (this.next !== char) return false;
    this.offset += 1;
    return true;
  }

  /** `ident { "." ident }`; "" if none starts here. */
  property(): string {
    const start = this.offset;
    if (!this.atProperty) return "";
    do {
      if (!this.atProperty) throw this.unexpected("expected a name after the dot");
      this.#run(ident);
    } while (this.take("."));
    return this.text.slice(start, this.offset);
  }

  /** The longest run of operator characters; may be "". */
  operators(): string {
    return this.#run(operator);
  }

  /** The longest run of bareword characters and stars; may be "". */
  word(): string {
    return this.#run(word);
  }

  /** The quoted text that starts here. Only `\<the active quote>` and `\\` are escapes. */
  string(): string {
    const open = this.offset;
    const quote = this.next;
    let unescaped = "";
    let from = open + 1;
    for (let at = from; at < this.text.length; at += 1) {
      const char = this.text.charAt(at);
      if (char === quote) {
        this.offset = at + 1;
        return unescaped + this.text.slice(from, at);
      }
      const escaped = char === "\\" ? this.text.charAt(at + 1) : "";
      if (escaped === "\\" || escaped === quote) {
        unescaped += this.text.slice(from, at);
        from = at + 1;
        at += 1;
      }
    }
    throw this.error(open, `the ${quote} is not closed`);
  }

  /** An error at the current position; `expectation` says what was expected. */
  unexpected(expectation: string, advice: Advice = {}): FqlSyntaxError {
    return this.error(this.offset, `${expectation}, found ${this.#found()}`, advice);
  }

  error(offset: number, reason: string, advice: Advice = {}): FqlSyntaxError {
    return errorAt(this.text, offset, reason, advice);
  }

  #found(): string {
    const code = this.text.codePointAt(this.offset);
    if (code === undefined) return "the end";
    const char = String.fromCodePoint(code);
    if (printable(char) === char) return char === "'" ? `"'"` : `'${char}'`;
    return `the control character U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
  }

  #run(members: ReadonlySet<number>): string {
    const start = this.offset;
    while (members.has(this.text.charCodeAt(this.offset))) this.offset += 1;
    return this.text.slice(start, this.offset);
  }
}

function characters(list: string, more: ReadonlySet<number> = new Set()): ReadonlySet<number> {
  return new Set([...more, ...Array.from(list, (char) => char.charCodeAt(0))]);
}
