import type { JsonSchema, OpenApiDocument } from "../document.ts";
import { typeDeclarations } from "./typescript.ts";

/** The types of the records of import files, by kind, with all types that they refer to. */
export async function importRecordsModule(
  document: OpenApiDocument,
  schemas: Readonly<Record<string, JsonSchema>>,
): Promise<string> {
  const names = Object.keys(schemas).map((kind) => [kind, `${pascalCase(kind)}Record`] as const);
  const taken = names.find(([, name]) => name in document.components.schemas);
  if (taken !== undefined) throw new Error(`the document has a schema ${taken[1]} of its own`);
  const records = Object.fromEntries(names.map(([kind, name]) => [name, schemas[kind] ?? {}]));
  const components = { schemas: { ...document.components.schemas, ...records } };
  const declarations = (await typeDeclarations({ ...document, paths: {}, components })).schemas;
  const needed = new Set(Object.keys(records));
  // A set also iterates over what is added meanwhile.
  for (const name of needed) {
    for (const reference of declarations[name]?.references ?? []) needed.add(reference);
  }
  const members = names.map(([kind, name]) => `  readonly ${JSON.stringify(kind)}: ${name};\n`);
  return [
    `/** The records of import files, by kind. */\nexport interface ImportRecords {\n${members.join("")}}\n`,
    ...[...needed].map((name) => `${declarations[name]?.text.replace(/^export /, "")}\n`),
  ].join("\n");
}

const pascalCase = (kind: string): string =>
  kind.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
