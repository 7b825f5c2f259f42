import { printable } from "./excerpt.ts";
import { type Advice, errorAt, type FqlSyntaxError } from "./syntax-error.ts";

const blank = characters(" \t\r\n");
const operator = characters("!~*<>=");
const identStart = characters("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_");
const ident = characters("0123456789", identStart);
const word = characters(".-@/*", ident);

/**
 * Reads the pieces of a filter one after the other. What a character means depends on its place (a
 * star is an operator or part of a pattern), so the parser says which piece it wants next. Every
 * read moves forward over what it returns; none looks back, so reading is linear.
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

  /** Whether a property could start here. */
  get atProperty(): boolean {
    return identStart.has(this.text.charCodeAt(this.offset));
  }

  skipBlank(): void {
    this.#run(blank);
  }

  /** Moves over `char` if it is next. */
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

  /** The longest run of operator characters; maybe "". */
  operators(): string {
    return this.#run(operator);
  }

  /** The longest run of bareword characters and stars; maybe "". */
  word(): string {
    return this.#run(word);
  }

  /** The text between the quotes that start here. Only `\<that quote>` and `\\` unescape. */
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

  /** The error for what stands here, where `expectation` says what should. */
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
