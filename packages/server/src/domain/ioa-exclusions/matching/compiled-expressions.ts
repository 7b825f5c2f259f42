import { compile, Compiled } from "../expression/compiled.ts";

const bytesKept = 128 * 1_024 * 1_024;

interface Kept {
  readonly expression: Compiled;
  bytes: number;
}

/**
 * A cache of compiled expressions of all tenants, by text. Automata grow while they match texts. Beyond the
 * limit, the cache drops the least recently used expressions.
 */
export class CompiledExpressions {
  readonly #limit: number;
  readonly #kept = new Map<string, Kept>();
  #bytes = 0;

  constructor(limit = bytesKept) {
    this.#limit = limit;
  }

  get bytes(): number {
    return this.#bytes;
  }

  matches(text: string, line: string): boolean {
    let kept = this.#kept.get(text);
    if (kept === undefined) {
      const expression = compile(text);
      // An earlier version stored the expression. One that no longer compiles excludes nothing.
      if (!(expression instanceof Compiled)) return false;
      kept = { expression, bytes: 0 };
    } else {
      this.#kept.delete(text);
    }
    this.#kept.set(text, kept);
    const matched = kept.expression.matches(line);
    const { bytes } = kept.expression;
    this.#bytes += bytes - kept.bytes;
    kept.bytes = bytes;
    this.#forget();
    return matched;
  }

  #forget(): void {
    for (const [text, { bytes }] of this.#kept) {
      if (this.#bytes <= this.#limit) return;
      this.#kept.delete(text);
      this.#bytes -= bytes;
    }
  }
}
