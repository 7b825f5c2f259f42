/** Generates src/generated from the document: data and types, no behaviour. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import {
  completeDocument,
  controlDocument,
  controlOperations,
  fqlTables,
  operations,
  type Operation,
} from "@security-platform/spec";
import { typeDeclarations, type TypeDeclarations } from "../../spec/src/generate/typescript.ts";
import { collectionModule, fieldTypes, type CollectionModule } from "./collection-module.ts";
import { everyOperationModule } from "./every-operation.ts";
import { comment } from "./method-docs.ts";
import { camelCase, pascalCase } from "./names.ts";

const folder = new URL("../src/generated/", import.meta.url);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

function write(name: string, ...parts: readonly string[]): void {
  const head = "// Generated from the OpenAPI document by `npm run generate`.\n";
  writeFileSync(new URL(name, folder), [head, ...parts].join("\n"));
}

const sorted = operations().toSorted((left, right) => (left.id < right.id ? -1 : 1));
const byCollection = new Map<string, Operation[]>();
for (const operation of sorted) {
  const members = byCollection.get(operation.collection);
  if (members === undefined) byCollection.set(operation.collection, [operation]);
  else members.push(operation);
}
const collections = [...byCollection].toSorted(([left], [right]) => (left < right ? -1 : 1));

const declarations = await typeDeclarations(completeDocument());
const modules = collections.map(([collection, members]) =>
  collectionModule(collection, members, declarations.operations),
);

/** The schemas of a module, with those that they refer to. */
function closure(names: ReadonlySet<string>, { schemas }: TypeDeclarations): ReadonlySet<string> {
  const reached = new Set(names);
  for (const name of reached) {
    for (const reference of schemas[name]?.references ?? []) reached.add(reference);
  }
  return reached;
}

const schemasOf = modules.map(({ schemas }) => closure(schemas, declarations));
const isShared = (name: string, sets: readonly ReadonlySet<string>[]): boolean =>
  sets.filter((set) => set.has(name)).length > 1;
const sharedSchemas = Object.keys(declarations.schemas).filter((name) => isShared(name, schemasOf));
const resourcesOf = modules.map(({ resources }) => resources);
const sharedResources = [...new Set(resourcesOf.flatMap((set) => [...set]))]
  .filter((name) => isShared(name, resourcesOf))
  .toSorted();
/** Resources that only the rows of a data frame have. */
const otherResources = Object.keys(fqlTables)
  .filter((name) => !resourcesOf.some((set) => set.has(name)))
  .toSorted();
const sharedNames = [
  ...sharedSchemas,
  ...sharedResources.flatMap((name) => [`${pascalCase(name)}Fields`, `${pascalCase(name)}SortKey`]),
];
const schemaTexts = (names: readonly string[], { schemas }: TypeDeclarations): readonly string[] =>
  names.map((name) => `${schemas[name]?.text}\n`);
write(
  "shared.ts",
  ...schemaTexts(sharedSchemas, declarations),
  ...[...sharedResources, ...otherResources].map(fieldTypes),
);

/** The names of `candidates` that the text uses. */
const usedNames = (text: string, candidates: readonly string[]): readonly string[] => {
  const words = new Set(text.replaceAll(/\/\*\*.*?\*\//gs, "").match(/\w+/g));
  return candidates.filter((name) => words.has(name));
};

const named = (head: string, names: readonly string[], module: string): string =>
  names.length === 0 ? "" : `${head} { ${names.join(", ")} } from ${JSON.stringify(module)};`;

const types = [
  "BatchMethod",
  "FileMethod",
  "GetMethod",
  "ListMethod",
  "MatchingGetMethod",
  "Method",
  "NoInput",
  "UploadMethod",
  "WaitMethod",
  "WithFiles",
  "WithFql",
];
/** `schemas`: the schemas of the module that no other one has. */
function writeCollection(
  { collection, text, resources }: CollectionModule,
  schemas: readonly string[],
): void {
  const fields = [...resources].filter((name) => !sharedResources.includes(name)).toSorted();
  const body = [...schemas, ...fields.map(fieldTypes), text].join("\n");
  const shared = collection === "control" ? [] : usedNames(body, sharedNames);
  write(
    `${collection}.ts`,
    named(
      "import type",
      usedNames(text, ["Filter", "FilterableName", "FilterBuilder", "FilterOf"]),
      "@security-platform/fql",
    ),
    named("import", usedNames(text, ["batchOperation"]), "../operations/batch-operation.ts"),
    named("import", usedNames(text, ["filterBuilders"]), "../operations/filters.ts"),
    named("import", usedNames(text, ["fqlOperation"]), "../operations/fql-operation.ts"),
    named("import", usedNames(text, ["fileOperation"]), "../operations/file-operation.ts"),
    named("import", usedNames(text, ["getOperation"]), "../operations/get-operation.ts"),
    named("import", usedNames(text, ["listOperation"]), "../operations/list-operation.ts"),
    named("import", usedNames(text, ["matching"]), "../operations/matching.ts"),
    named(
      "import",
      ["collection", ...usedNames(text, ["operation"]), "type Collection", "type Operation"],
      "../operations/operation.ts",
    ),
    named("import", usedNames(text, ["uploadOperation"]), "../operations/upload-operation.ts"),
    named("import", usedNames(text, ["waiter"]), "../operations/waiter.ts"),
    named("import type", usedNames(text, types), "../operations/method.ts"),
    named("import type", shared, "./shared.ts"),
    named("\nexport type", shared, "./shared.ts"),
    "",
    body,
  );
}

for (const [index, module] of modules.entries()) {
  const own = [...(schemasOf[index] ?? [])].filter((name) => !sharedSchemas.includes(name));
  writeCollection(module, schemaTexts(own.toSorted(), declarations));
}

const controlDeclarations = await typeDeclarations(controlDocument());
const control = collectionModule("control", controlOperations(), controlDeclarations.operations);
const controlSchemas = [...closure(control.schemas, controlDeclarations)].toSorted();
writeCollection(control, schemaTexts(controlSchemas, controlDeclarations));

const imports = collections.map(([collection]) => {
  const methods = `${pascalCase(collection)}Methods`;
  return `import { ${camelCase(collection)}, type ${methods} } from "./${collection}.ts";`;
});
const withFilters = modules.filter(({ resources }) => resources.size > 0);
write(
  "collections.ts",
  `import type { FilterBuilder } from "@security-platform/fql";`,
  `import type { Connection } from "../sending/connection.ts";`,
  `import { filterBuilders } from "../operations/filters.ts";`,
  `import type { ${otherResources.map((name) => `${pascalCase(name)}Fields`).join(", ")} } from "./shared.ts";`,
  ...imports,
  ...withFilters.map(
    ({ collection }) =>
      `import type { filters as ${camelCase(collection)}Filters } from "./${collection}.ts";`,
  ),
  "",
  comment(["Every collection by its property of the client."]),
  `export interface Collections {\n${collections
    .map(([name]) => `  readonly ${camelCase(name)}: ${pascalCase(name)}Methods;\n`)
    .join("")}}\n`,
  `export const collections = (connection: Connection): Collections => ({\n${collections
    .map(([name]) => `  ${camelCase(name)}: ${camelCase(name)}(connection),\n`)
    .join("")}});\n`,
  comment([
    'Filter builders by resource: `filters.indicators.where("type").equals("domain")`. An unknown',
    "field, operator or value does not compile.",
  ]),
  `export const filters: Filters = /* @__PURE__ */ filterBuilders(${JSON.stringify(Object.keys(fqlTables).toSorted())});\n`,
  `export type Filters = ${withFilters
    .map(({ collection }) => `typeof ${camelCase(collection)}Filters`)
    .join(" & ")} & {\n${otherResources
    .map(
      (name) => `  readonly ${JSON.stringify(name)}: FilterBuilder<${pascalCase(name)}Fields>;\n`,
    )
    .join("")}};\n`,
  comment(["The methods by the id of their operation."]),
  `export interface MethodsById {\n${sorted
    .map(
      ({ id, collection, methodName }) =>
        `  readonly ${JSON.stringify(id)}: ${pascalCase(collection)}Methods["${methodName}"];\n`,
    )
    .join("")}}\n`,
);

const union = (members: readonly Operation[]): string =>
  members.map(({ id }) => `  | ${JSON.stringify(id)}`).join("\n");
const scopes = [...new Set(sorted.flatMap(({ scope }) => scope ?? []))].toSorted();
write(
  "names.ts",
  comment(["A permission of a token."]),
  `export type Scope =\n${scopes.map((scope) => `  | ${JSON.stringify(scope)}`).join("\n")};\n`,
  comment(["The id of an operation in the document."]),
  `export type OperationId =\n${union(sorted)};\n`,
  comment(["The id of an operation of the control plane."]),
  `export type ControlOperationId =\n${union(controlOperations())};\n`,
);

write("every-operation.ts", everyOperationModule(sorted));
