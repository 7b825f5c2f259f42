import openapiTS, { astToString, type OpenAPITSOptions } from "openapi-typescript";
import ts from "typescript";
import type { OpenApiDocument } from "../document.ts";
import type { FqlTable } from "../fql-table.ts";
import type { Operation } from "../operation.ts";
import { resolve } from "../references.ts";

/**
 * Types of all paths, operations and components. The only place that depends on their generator.
 */
export async function typesModule(document: OpenApiDocument): Promise<string> {
  const names = { rootTypes: true, rootTypesNoSchemaPrefix: true };
  return astToString(await generate(document, names));
}

const generate = (document: OpenApiDocument, options: OpenAPITSOptions) =>
  openapiTS(withoutBareAlternatives(document) as never, {
    immutable: true,
    defaultNonNullable: false,
    emptyObjectsUnknown: true,
    silent: true,
    ...options,
  });

/** TypeScript sources of the types in a document, in which schemas are referred to by name. */
export interface TypeDeclarations {
  /** A declaration, `export interface Indicator {…}`, for each schema. */
  readonly schemas: Readonly<Record<string, TypeSource>>;
  readonly operations: Readonly<Record<string, OperationTypes>>;
}

/** The source of a type, and the schemas that it refers to. */
export interface TypeSource {
  readonly text: string;
  readonly references: readonly string[];
}

export interface OperationTypes {
  readonly parameters: Readonly<Record<string, TypeSource>>;
  /** The types of the body by media type. */
  readonly body: Readonly<Record<string, TypeSource>>;
  /** The types of responses by status, then by media type. */
  readonly responses: Readonly<Record<string, Readonly<Record<string, TypeSource>>>>;
}

/**
 * The types of the schemas, parameters and bodies of a document, one by one, for generators that arrange
 * them in modules of their own. Files in forms are Blobs.
 */
export async function typeDeclarations(document: OpenApiDocument): Promise<TypeDeclarations> {
  const nodes = await generate(document, {
    transform: ({ format }) =>
      format === "binary" ? ts.factory.createTypeReferenceNode("Blob") : undefined,
  });
  const top = Object.fromEntries(
    nodes.filter(ts.isInterfaceDeclaration).map(({ name, members }) => [name.text, members]),
  );
  const components = membersByName(top["components"]);
  const parameters = membersByName(components["parameters"]?.type);
  const source = (member: ts.PropertySignature): TypeSource => {
    const inlined = typeText(member).replaceAll(
      /components\["parameters"\]\["([^"]+)"\]/g,
      (reference, name: string) => {
        const parameter = parameters[name];
        return parameter === undefined ? reference : typeText(parameter);
      },
    );
    const references = new Set<string>();
    const text = inlined.replaceAll(/components\["schemas"\]\["([^"]+)"\]/g, (_, name: string) => {
      references.add(name);
      return name;
    });
    return { text, references: [...references] };
  };
  const sources = (member: ts.PropertySignature | undefined) =>
    mapValues(membersByName(member?.type), source);
  const operation = ({ type }: ts.PropertySignature): OperationTypes => {
    const parts = membersByName(type);
    const places = membersByName(parts["parameters"]?.type);
    const content = (member: ts.PropertySignature | undefined) =>
      sources(membersByName(member?.type)["content"]);
    return {
      parameters: Object.assign({}, ...Object.values(places).map(sources)) as Record<
        string,
        TypeSource
      >,
      body: content(parts["requestBody"]),
      responses: mapValues(membersByName(parts["responses"]?.type), content),
    };
  };
  return {
    schemas: mapValues(membersByName(components["schemas"]?.type), (member, name) => {
      const { text, references } = source(member);
      const isObject = member.type !== undefined && ts.isTypeLiteralNode(member.type);
      const head = isObject ? `export interface ${name} ` : `export type ${name} = `;
      return { text: `${head}${text}${isObject ? "" : ";"}`, references };
    }),
    operations: mapValues(membersByName(top["operations"]), operation),
  };
}

type Properties = Readonly<Record<string, ts.PropertySignature>>;

/** The properties of an object type or interface; none for any other type. */
function membersByName(type: ts.TypeNode | ts.NodeArray<ts.TypeElement> | undefined): Properties {
  if (type === undefined) return {};
  const members = "kind" in type ? (ts.isTypeLiteralNode(type) ? type.members : []) : type;
  const properties = [...members].filter((member) => ts.isPropertySignature(member));
  return Object.fromEntries(
    properties.map((member) => [(member.name as ts.Identifier | ts.StringLiteral).text, member]),
  );
}

/** The type with optional members that may also be undefined, which JSON omits. */
function withUndefined(type: ts.TypeNode): ts.TypeNode {
  const { factory } = ts;
  const visit = (node: ts.Node, context: ts.TransformationContext): ts.Node => {
    const visited = ts.visitEachChild(node, (child) => visit(child, context), context);
    if (!ts.isPropertySignature(visited) || visited.questionToken === undefined) return visited;
    const { modifiers, name, questionToken, type: value } = visited;
    if (value === undefined) return visited;
    const undefinedType = factory.createKeywordTypeNode(ts.SyntaxKind.UndefinedKeyword);
    const either = factory.createUnionTypeNode([value, undefinedType]);
    const optional = factory.updatePropertySignature(
      visited,
      modifiers,
      name,
      questionToken,
      either,
    );
    return optional;
  };
  const { transformed } = ts.transform(type, [
    (context) => (node) => visit(node, context) as ts.TypeNode,
  ]);
  return transformed[0] ?? type;
}

const typeText = ({ type }: ts.PropertySignature): string =>
  type === undefined
    ? "unknown"
    : astToString(withUndefined(type))
        .trim()
        .replaceAll("@description ", "")
        .replaceAll("@enum {string}", "");

const mapValues = <Value, Result>(
  values: Readonly<Record<string, Value>>,
  map: (value: Value, name: string) => Result,
): Record<string, Result> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value, name)]));

/**
 * A copy without `anyOf` whose alternatives only require members. Types cannot express which of the members
 * is present, and the generator turns each alternative, and so the whole type, into `unknown`.
 */
function withoutBareAlternatives(document: OpenApiDocument): unknown {
  const isBare = (alternative: unknown): boolean =>
    typeof alternative === "object" &&
    alternative !== null &&
    Object.keys(alternative).every((name) => name === "required");
  return JSON.parse(
    JSON.stringify(document, (name, value: unknown) =>
      name === "anyOf" && Array.isArray(value) && value.every(isBare) ? undefined : value,
    ),
  );
}

/**
 * The union of operation ids, the query parameters with a default, and the members that are files.
 */
export function operationIdsModule(
  document: OpenApiDocument,
  operations: readonly Operation[],
): string {
  const ids = operations.map(({ id }) => id).toSorted();
  const defaults = operations
    .toSorted((left, right) => (left.id < right.id ? -1 : 1))
    .map(({ id, parameters }) => {
      const names = parameters
        .filter((parameter) => parameter.in === "query" && "default" in parameter.schema)
        .map(({ name }) => JSON.stringify(name));
      return `  ${JSON.stringify(id)}: ${names.join(" | ") || "never"};\n`;
    });
  const uploads = operations
    .toSorted((left, right) => (left.id < right.id ? -1 : 1))
    .flatMap((operation) => {
      const files = fileMembers(document, operation);
      if (files.length === 0) return [];
      const names = files.map((name) => JSON.stringify(name)).join(" | ");
      return `  ${JSON.stringify(operation.id)}: ${names};\n`;
    });
  return [
    `export type OperationId =\n${ids.map((id) => `  | ${JSON.stringify(id)}`).join("\n")};\n`,
    `/** Names of the query parameters that have a default. */\n`,
    `export interface QueryDefaults {\n${defaults.join("")}}\n`,
    `/** Names of the members of forms that are files. */\n`,
    `export interface UploadMembers {\n${uploads.join("")}}\n`,
  ].join("\n");
}

function fileMembers(document: OpenApiDocument, { requestBody }: Operation): readonly string[] {
  const form = requestBody?.content["multipart/form-data"];
  if (form === undefined) return [];
  const { properties } = resolve(document, form.schema);
  return Object.entries((properties ?? {}) as Readonly<Record<string, unknown>>)
    .filter(([, member]) => resolve(document, member)["format"] === "binary")
    .map(([name]) => name);
}

/** The filter tables as a constant, so that types can be derived from it. */
export function fqlTablesModule(tables: Readonly<Record<string, FqlTable>>): string {
  return [
    `import type { FqlTable } from "../fql-table.ts";\n`,
    `/** The filter and sort fields by resource. */`,
    `export const fqlTables = ${JSON.stringify(tables, null, 2)} as const satisfies Readonly<Record<string, FqlTable>>;\n`,
  ].join("\n");
}
