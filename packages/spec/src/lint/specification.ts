import { posix } from "node:path";
import type { Method } from "../operation.ts";
import type { Report } from "./finding.ts";
import { documentFiles, type Pointer, type SourceFile } from "./source-file.ts";

/** A JSON object in a source file, with its position. */
export interface Spot<Value = JsonObject> {
  readonly file: SourceFile;
  readonly pointer: Pointer;
  readonly value: Value;
}

export type JsonObject = Readonly<Record<string, unknown>>;

/** One operation as written in its file. */
export interface OperationSpot extends Spot {
  /** The document that lists its path. */
  readonly root: SourceFile;
  readonly url: string;
  readonly method: Method;
  readonly id: string;
}

const methods: readonly Method[] = ["get", "head", "post", "put", "patch", "delete"];

export const isObject = (value: unknown): value is JsonObject =>
  value !== null && typeof value === "object" && !Array.isArray(value);

export const objectIn = (value: unknown, key: string): JsonObject => {
  const member = isObject(value) ? value[key] : undefined;
  return isObject(member) ? member : {};
};

export const listIn = (value: unknown, key: string): readonly unknown[] => {
  const member = isObject(value) ? value[key] : undefined;
  return Array.isArray(member) ? member : [];
};

/** The spot at a path below a spot. */
export const inside = (spot: Spot, ...steps: Pointer): Spot => {
  let value: unknown = spot.value;
  for (const step of steps) {
    value = (value as Readonly<Record<string | number, unknown>> | undefined)?.[step];
  }
  return { file: spot.file, pointer: [...spot.pointer, ...steps], value: value as JsonObject };
};

/** A report at a spot. */
export const report = (
  { file, pointer }: Pick<Spot, "file" | "pointer">,
  found: string,
  expected: string,
): Report => ({ file: file.filePath, line: file.lineOf(pointer), found, expected });

/** All files of spec/, in the form that rules use. */
export class Specification {
  readonly files: ReadonlyMap<string, SourceFile>;

  constructor(files: readonly SourceFile[]) {
    this.files = new Map(files.map((file) => [file.path, file]));
  }

  /** The documents; openapi.yaml comes first and must exist. */
  get roots(): readonly SourceFile[] {
    const roots = documentFiles.flatMap((name) => this.files.get(name) ?? []);
    if (roots[0]?.path !== documentFiles[0]) throw new Error("spec/ has no openapi.yaml");
    return roots;
  }

  ofKind(...kinds: readonly SourceFile["kind"][]): readonly SourceFile[] {
    return [...this.files.values()].filter(({ kind }) => kinds.includes(kind));
  }

  /** The file or component that a reference in `from` names; undefined if there is none. */
  target(from: SourceFile, reference: string): SourceFile | undefined {
    return this.files.get(
      reference.startsWith("#")
        ? `${from.filePath}${reference}`
        : posix.join(posix.dirname(from.filePath), reference),
    );
  }

  /** The spot itself, or the target of its `$ref`. */
  resolve(spot: Spot): Spot {
    const target = this.#referenced(spot);
    return target === undefined ? spot : this.resolve(target);
  }

  /** The target file of a spot's `$ref`; undefined if there is none. */
  #referenced(spot: Spot): Spot | undefined {
    const reference = isObject(spot.value) ? spot.value["$ref"] : undefined;
    const file = typeof reference === "string" ? this.target(spot.file, reference) : undefined;
    return file && { file, pointer: [], value: file.value as JsonObject };
  }

  /** All operations, in the order of the path list. */
  get operations(): readonly OperationSpot[] {
    return this.pathItems.flatMap(({ root, url, file }) =>
      methods
        .filter((method) => isObject(file.value) && method in file.value)
        .map((method) => {
          const value = objectIn(file.value, method);
          return {
            root,
            url,
            method,
            file,
            pointer: [method],
            value,
            id: String(value["operationId"]),
          };
        }),
    );
  }

  get pathItems(): readonly {
    readonly root: SourceFile;
    readonly url: string;
    readonly file: SourceFile;
  }[] {
    return this.roots.flatMap((root) =>
      Object.entries(objectIn(root.value, "paths")).flatMap(([url, item]) => {
        const reference = isObject(item) ? item["$ref"] : undefined;
        const file = typeof reference === "string" ? this.target(root, reference) : undefined;
        return file === undefined ? [] : [{ root, url, file }];
      }),
    );
  }

  parameters(operation: OperationSpot): readonly Spot[] {
    return listIn(operation.value, "parameters").map((_parameter, index) =>
      this.resolve(inside(operation, "parameters", index)),
    );
  }

  /**
   * The members of a map by name. A `$ref` in the map refers to a shared set, whose members come
   * first; the bundler merges them in the same way.
   */
  members(map: Spot): ReadonlyMap<string, Spot> {
    const set = this.#referenced(map);
    return new Map([
      ...(set === undefined ? [] : this.members(set)),
      ...Object.keys(isObject(map.value) ? map.value : {})
        .filter((name) => name !== "$ref")
        .map((name) => [name, inside(map, name)] as const),
    ]);
  }

  /** Responses by status, references resolved. */
  responses(operation: OperationSpot): readonly (Spot & { readonly status: string })[] {
    return [...this.members(inside(operation, "responses"))].map(([status, response]) => ({
      ...this.resolve(response),
      status,
    }));
  }
}
