import { LRUCache } from "lru-cache";
import { compile, Compiled } from "../expression/compiled.ts";

const bytesKept = 128 * 1_024 * 1_024;

interface CacheEntry {
  readonly expression: Compiled;
  readonly bytes: number;
}

/**
 * A cache of compiled expressions of all tenants, by text. Automata grow while they match texts. Beyond the
 * limit, the cache drops the least recently used expressions.
 */
export class CompiledExpressions {
  readonly #cache: LRUCache<string, CacheEntry>;

  constructor(limit = bytesKept) {
    this.#cache = new LRUCache({ maxSize: limit, sizeCalculation: ({ bytes }) => bytes });
  }

  get bytes(): number {
    return this.#cache.calculatedSize;
  }

  matches(text: string, line: string): boolean {
    const cached = this.#cache.get(text);
    const expression = cached?.expression ?? compile(text);
    // An earlier version stored the expression. One that no longer compiles excludes nothing.
    if (!(expression instanceof Compiled)) return false;
    const matched = expression.matches(line);
    const { bytes } = expression;
    if (bytes !== cached?.bytes) this.#cache.set(text, { expression, bytes });
    return matched;
  }
}
