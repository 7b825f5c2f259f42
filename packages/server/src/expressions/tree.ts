import { tokensOf, type Token } from "./tokens.ts";

/** The structure of an expression, with the details that the size estimate and the required texts need. */
export type Node =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "choice" }
  | { readonly kind: "all" | "any"; readonly parts: readonly Node[] }
  | { readonly kind: "repeat"; readonly part: Node; readonly least: number; readonly most: number };

/** Maximum depth. Reasonable expressions of 256 characters need less than a tenth of it. */
const deepest = 100;

/** Null for an expression that the compiler refuses or that is nested too deeply. */
export function treeOf(text: string): Node | null {
  const reader = new Reader(tokensOf(text));
  const node = reader.alternatives(0);
  return reader.done ? node : null;
}

class Reader {
  readonly #tokens: readonly Token[];
  #next = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  get done(): boolean {
    return this.#next === this.#tokens.length;
  }

  alternatives(depth: number): Node | null {
    const options: Node[] = [];
    for (;;) {
      const option = this.#sequence(depth);
      if (option === null) return null;
      options.push(option);
      if (this.#tokens[this.#next]?.kind !== "or") break;
      this.#next += 1;
    }
    const [only] = options;
    return options.length === 1 && only !== undefined ? only : { kind: "any", parts: options };
  }

  #sequence(depth: number): Node | null {
    const parts: Node[] = [];
    for (;;) {
      const token = this.#tokens[this.#next];
      if (token === undefined || token.kind === "or" || token.kind === "close") break;
      this.#next += 1;
      if (token.kind === "open") {
        if (depth === deepest) return null;
        const group = this.alternatives(depth + 1);
        if (group === null || this.#tokens[this.#next]?.kind !== "close") return null;
        this.#next += 1;
        parts.push(group);
      } else if (token.kind === "repeat") {
        const part = parts.pop();
        if (part === undefined) return null;
        parts.push({ kind: "repeat", part, least: token.least, most: token.most });
      } else if (token.kind === "character") {
        parts.push({ kind: "text", text: token.character });
      } else if (token.kind === "choice") {
        parts.push({ kind: "choice" });
      }
    }
    return { kind: "all", parts };
  }
}

/** Estimates the number of steps of the compiled expression, without compiling it. */
export function stepsOf(node: Node): number {
  switch (node.kind) {
    case "text":
    case "choice":
      return 1;
    case "all":
    case "any":
      return node.parts.reduce((sum, part) => sum + stepsOf(part) + 1, 0);
    case "repeat": {
      const copies = Number.isFinite(node.most) ? node.most : Math.max(1, node.least);
      return stepsOf(node.part) * copies + 1;
    }
  }
}
