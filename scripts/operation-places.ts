/** A place in the repository that an operation needs. */
export interface Place {
  readonly path: string;
  readonly what: string;
  /** Whether the file names the operation. */
  readonly found: boolean;
}

export interface Repository {
  /** The text of a file; empty if it does not exist. */
  readonly text: (path: string) => string;
  /** Path Item files of spec/. */
  readonly paths: () => readonly string[];
}

/** Every place of an operation, in the order in which it is written. */
export function placesOf(id: string, { text, paths }: Repository): readonly Place[] {
  const line = new RegExp(`operationId: "?${escaped(id)}"?\\s*$`, "m");
  const file = paths().find((path) => line.test(text(path)));
  const collection = file?.split("/")[1] ?? "<collection>";
  const isCompanion = collection === "companion";
  const document = isCompanion ? "spec/companion.yaml" : "spec/openapi.yaml";
  const surface = isCompanion ? "spec/companion-surface.txt" : "spec/surface.txt";
  const handlers = `packages/server/src/operations/${collection}`;
  const recipes = `packages/contract-tests/src/recipes/${collection}.ts`;
  const examples = `packages/client/tests/examples/${collection}.ts`;
  const names = new RegExp(`(?<![\\w.])["']?${escaped(id)}["']?(?![\\w.])`);
  const place = (path: string, what: string, found = names.test(text(path))): Place => ({
    path,
    what,
    found,
  });
  return [
    place(
      file ?? `spec/${collection}/paths/<url>.yaml`,
      "its Path Item, with schemas and examples next to it",
      file !== undefined,
    ),
    place(
      document,
      "the path, in sorted order",
      file !== undefined && text(document).includes(relative(file)),
    ),
    place(surface, "npm run surface -w @security-platform/spec"),
    place(
      `${handlers}/index.ts`,
      `its handler, or one from ${handlers}/${id}.ts`,
      names.test(text(`${handlers}/index.ts`)) || text(`${handlers}/${id}.ts`) !== "",
    ),
    place(
      "packages/server/src/operations/index.ts",
      "the handlers of its collection",
      text("packages/server/src/operations/index.ts").includes(`"./${collection}/index.ts"`),
    ),
    place(examples, "one call of it through the client"),
    place(
      recipes,
      "its kind of record, unless a filter of the document says it",
      names.test(text(recipes)) || isDescribedByFilter(file === undefined ? "" : text(file), id),
    ),
  ];
}

/** Lists with a filter need no recipe. */
function isDescribedByFilter(item: string, id: string): boolean {
  const [, operation = ""] = item.split(new RegExp(`operationId: "?${escaped(id)}"?\\s`));
  const [own = ""] = operation.split("operationId:");
  return /Filter(?:\.yaml)?\s|name: filter/.test(own);
}

const relative = (file: string): string => file.replace(/^spec\//, "");

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
