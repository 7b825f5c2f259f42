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

/** Kinds that a Components Object may contain. */
const componentKinds: readonly Kind[] = ["schemas", "parameters", "examples"];

/** A parsed YAML text, with the line numbers of its values. */
class YamlText {
  readonly value: unknown;
  readonly #document: Document.Parsed;
  readonly #lines = new LineCounter();

  constructor(path: string, text: string) {
    this.#document = parseDocument(text, { lineCounter: this.#lines, merge: true });
    const [error] = this.#document.errors;
    if (error !== undefined) throw new Error(`${path}: ${error.message}`);
    this.value = this.#document.toJS({ maxAliasCount: -1 }) as unknown;
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

/** One YAML file of spec/, or one component of a file in a folder `components`. */
export class SourceFile {
  /**
   * Relative to spec/, with forward slashes: `ioc/schemas/Indicator.yaml`. For a component, as references
   * name it: `ioc/components/indicators.yaml#/schemas/Indicator`.
   */
  readonly path: string;
  /** `path` without the component. */
  readonly filePath: string;
  readonly kind: Kind;
  /** First folder: `ioc`, `shared`; empty for files next to openapi.yaml, and for errata. */
  readonly collection: string;
  /** File name without extension, or the component's name. */
  readonly name: string;
  readonly value: unknown;
  /** The value of the whole file. */
  readonly fileValue: unknown;
  readonly #text: YamlText;
  readonly #component: Pointer;

  constructor(path: string, text: string | YamlText, component: Pointer = []) {
    this.#text = typeof text === "string" ? new YamlText(path, text) : text;
    this.#component = component;
    this.filePath = path;
    this.path = component.length === 0 ? path : `${path}#/${component.join("/")}`;
    const parts = path.split("/");
    const [collection = "", folder = ""] = parts;
    const section = component[0] ?? folder;
    this.kind = documentFiles.includes(path)
      ? "root"
      : (kinds.find((kind) => kind === section) ?? "other");
    this.collection = parts.length > 1 && collection !== "errata" ? collection : "";
    this.name = String(component.at(-1) ?? (parts.at(-1) ?? "").replace(/\.ya?ml$/, ""));
    this.fileValue = this.#text.value;
    let value = this.fileValue;
    for (const step of component) value = (value as Readonly<Record<string, unknown>>)[step];
    this.value = value;
  }

  /** The line of the member at a pointer, or of the nearest enclosing value. */
  lineOf(pointer: Pointer): number {
    return this.#text.lineOf([...this.#component, ...pointer]);
  }
}

/**
 * The file; or, for a Components Object in a folder `components`, each of its components. Throws if the text
 * is not YAML, or has other sections.
 */
export function sourceFiles(path: string, text: string): readonly SourceFile[] {
  if (path.split("/")[1] !== "components") return [new SourceFile(path, text)];
  const yaml = new YamlText(path, text);
  return Object.entries((yaml.value ?? {}) as Readonly<Record<string, object>>).flatMap(
    ([section, components]) => {
      if (!componentKinds.some((kind) => kind === section)) {
        const expected = componentKinds.join(", ");
        throw new Error(`${path}: section ${section}, expected one of ${expected}`);
      }
      return Object.keys(components).map((name) => new SourceFile(path, yaml, [section, name]));
    },
  );
}
