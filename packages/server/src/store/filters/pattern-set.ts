import { matchesGlob } from "@security-platform/fql";

/** The literal texts between the stars of a glob. At least one of them is not empty. */
export interface Pattern {
  readonly parts: readonly string[];
}

/** A text that patterns contain, or the start of such a text. */
interface Node {
  readonly next: Map<number, Node>;
  /** The node of the longest suffix of this text that is also the start of a text. */
  back: Node | null;
  /** The nearest node along `back` at which patterns end. */
  shorter: Node | null;
  readonly patterns: number[];
}

const resultsKept = 10_000;
const longestKept = 200;

/**
 * Many patterns in one automaton (Aho-Corasick). A value is read once, and it is compared only with patterns
 * whose longest literal text it contains.
 */
export class PatternSet {
  readonly #patterns: readonly Pattern[];
  readonly #root: Node = newNode();
  /** For each pattern, the serial number of the last value that it was compared with. */
  readonly #compared: Uint32Array;
  readonly #results = new Map<string, boolean>();
  #values = 0;

  constructor(patterns: readonly Pattern[]) {
    this.#patterns = patterns;
    this.#compared = new Uint32Array(patterns.length);
    for (const [at, { parts }] of patterns.entries()) this.#add(longestOf(parts), at);
    this.#link();
  }

  /** Whether the value matches one of the patterns. */
  matches(value: string): boolean {
    if (value.length > longestKept) return this.#search(value);
    let result = this.#results.get(value);
    if (result === undefined) {
      result = this.#search(value);
      if (this.#results.size < resultsKept) this.#results.set(value, result);
    }
    return result;
  }

  #add(text: string, pattern: number): void {
    let node = this.#root;
    for (let at = 0; at < text.length; at += 1) {
      const unit = text.charCodeAt(at);
      let next = node.next.get(unit);
      if (next === undefined) {
        next = newNode();
        node.next.set(unit, next);
      }
      node = next;
    }
    node.patterns.push(pattern);
  }

  /** Processes shorter texts first. */
  #link(): void {
    const queue: Node[] = [this.#root];
    for (const node of queue) {
      for (const [unit, child] of node.next) {
        let back = node.back;
        while (back !== null && !back.next.has(unit)) back = back.back;
        child.back = back?.next.get(unit) ?? this.#root;
        child.shorter = child.back.patterns.length > 0 ? child.back : child.back.shorter;
        queue.push(child);
      }
    }
  }

  #search(value: string): boolean {
    this.#values += 1;
    let node = this.#root;
    for (let at = 0; at < value.length; at += 1) {
      const unit = value.charCodeAt(at);
      let next = node.next.get(unit);
      while (next === undefined && node.back !== null) {
        node = node.back;
        next = node.next.get(unit);
      }
      node = next ?? this.#root;
      for (let end: Node | null = node; end !== null; end = end.shorter) {
        if (end.patterns.some((pattern) => this.#compare(pattern, value))) return true;
      }
    }
    return false;
  }

  #compare(pattern: number, value: string): boolean {
    if (this.#compared[pattern] === this.#values) return false;
    this.#compared[pattern] = this.#values;
    return matchesGlob(this.#patterns[pattern]?.parts ?? [], value);
  }
}

const newNode = (): Node => ({ next: new Map(), back: null, shorter: null, patterns: [] });

const longestOf = (parts: readonly string[]): string =>
  parts.reduce((longest, part) => (part.length > longest.length ? part : longest), "");
