import { compile, Compiled } from "../expression/compiled.ts";

const bytesKept = 128 * 1_024 * 1_024;

interface CacheEntry {
  readonly expression: Compiled;
  bytes: number;
}

/**
 * A cache of compiled expressions of all tenants, by text. Automata grow while they match texts. Beyond the
 * limit, the cache drops the least recently used expressions.
 */
export class CompiledExpressions {
  readonly #limit: number;
  readonly #cache = new Map<string, CacheEntry>();
  #bytes = 0;

  constructor(limit = bytesKept) {
    this.#limit = limit;
  }

  get bytes(): number {
    return this.#bytes;
  }

  matches(text: string, line: string): boolean {
    let cached = this.#cache.get(text);
    if (cached === undefined) {
      const expression = compile(text);
      // An earlier version stored the expression. One that no longer compiles excludes nothing.
      if (!(expression instanceof Compiled)) return false;
      cached = { expression, bytes: 0 };
    } else {
      this.#cache.delete(text);
    }
    this.#cache.set(text, cached);
    const matched = cached.expression.matches(line);
    const { bytes } = cached.expression;
    this.#bytes += bytes - cached.bytes;
    cached.bytes = bytes;
    this.#forget();
    return matched;
  }

  #forget(): void {
    for (const [text, { bytes }] of this.#cache) {
      if (this.#bytes <= this.#limit) return;
      this.#cache.delete(text);
      this.#bytes -= bytes;
    }
  }
}
