import {
  isCollection,
  isMap,
  isPair,
  isScalar,
  LineCounter,
  parseDocument,
  type Document,
} from "yaml";

export type Pointer = readonly (string | number)[];

/** The documents of spec/: the document of the API, and the document of the companion operations. */
export const documentFiles: readonly string[] = ["openapi.yaml", "companion.yaml"];

/** The kind of a file of spec/, determined by its folder. */
export type Kind =
  | "root"
  | "paths"
  | "schemas"
  | "parameters"
  | "headers"
  | "responses"
  | "header-sets"
  | "error-sets"
  | "examples"
  | "fql"
  | "other";

const kinds: readonly Kind[] = [
  "paths",
  "schemas",
  "parameters",
  "headers",
  "responses",
  "header-sets",
  "error-sets",
  "examples",
  "fql",
];

/** One YAML file of spec/, with the line numbers of its values. */
export class SourceFile {
  /** Relative to spec/, with forward slashes: `ioc/schemas/Indicator.yaml`. */
  readonly path: string;
  readonly kind: Kind;
  /** First folder: `ioc`, `shared`; empty for files next to openapi.yaml, and for errata. */
  readonly collection: string;
  /** File name without extension. */
  readonly name: string;
  readonly value: unknown;
  readonly #document: Document.Parsed;
  readonly #lines = new LineCounter();

  constructor(path: string, text: string) {
    this.path = path;
    const parts = path.split("/");
    const [collection = "", folder = ""] = parts;
    this.kind = documentFiles.includes(path)
      ? "root"
      : (kinds.find((kind) => kind === folder) ?? "other");
    this.collection = parts.length > 1 && collection !== "errata" ? collection : "";
    this.name = (parts.at(-1) ?? "").replace(/\.ya?ml$/, "");
    this.#document = parseDocument(text, { lineCounter: this.#lines });
    const [error] = this.#document.errors;
    if (error !== undefined) throw new Error(`${path}: ${error.message}`);
    this.value = this.#document.toJS() as unknown;
  }

  /** The line of the member at a pointer, or of the nearest enclosing value. */
  lineOf(pointer: Pointer): number {
    let node: unknown = this.#document.contents;
    let offset = isCollection(node) ? (node.range?.[0] ?? 0) : 0;
    for (const step of pointer) {
      if (!isCollection(node)) break;
      const item: unknown = isMap(node)
        ? node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step))
        : node.items[Number(step)];
      if (item === undefined) break;
      const at = isPair(item) ? item.key : item;
      offset = (at as { range?: readonly number[] | null }).range?.[0] ?? offset;
      node = isPair(item) ? item.value : item;
    }
    return this.#lines.linePos(offset).line;
  }
}
