import { Kind, parse, visit, type DefinitionNode } from "graphql";
import { block, code, folded, joinBlocks, prose } from "./markdown.ts";

/** The parts of the page, in the order in which a reader needs them. */
const parts: readonly (readonly [title: string, kind: Kind])[] = [
  ["Interfaces", Kind.INTERFACE_TYPE_DEFINITION],
  ["Types", Kind.OBJECT_TYPE_DEFINITION],
  ["Unions", Kind.UNION_TYPE_DEFINITION],
  ["Inputs", Kind.INPUT_OBJECT_TYPE_DEFINITION],
  ["Enumerations", Kind.ENUM_TYPE_DEFINITION],
  ["Scalars", Kind.SCALAR_TYPE_DEFINITION],
  ["Directives", Kind.DIRECTIVE_DEFINITION],
];

interface Type {
  readonly name: string;
  readonly kind: Kind;
  readonly description: string;
  /** SDL without the description. */
  readonly source: string;
  /** Names of the types to which it refers. */
  readonly uses: ReadonlySet<string>;
}

/** The page of the GraphQL schema of post_graphql. The first type is `Query`. */
export function graphqlPage(schema: string): string {
  const { definitions } = parse(schema);
  const types = definitions.flatMap((definition) => typeOf(definition, schema));
  const query = types.filter(({ name }) => name === "Query");
  const others = types.filter(({ name }) => name !== "Query");
  return joinBlocks([
    "---\nsearch: title\noutline: 2\n---",
    "# GraphQL schema of identities",
    "The schema of [post_graphql](/reference/identity-protection/post_graphql). An introspection query returns " +
      "the same. For usage see [Identities](/guides/identity-protection).",
    '<OperationConsole operation="post_graphql" />',
    ...query.flatMap((type) => ["## Query", ...contentOf(type, types)]),
    ...parts.flatMap(([title, kind]) => {
      const members = others.filter((type) => type.kind === kind);
      if (members.length === 0) return [];
      return [
        `## ${title}`,
        ...folded(
          `${members.length} of them`,
          members.flatMap((type) => [`### ${type.name}`, ...contentOf(type, types)]),
        ),
      ];
    }),
  ]);
}

/** The type of a definition; none for the schema itself, which only names `Query`. */
function typeOf(definition: DefinitionNode, schema: string): readonly Type[] {
  if (definition.kind === Kind.SCHEMA_DEFINITION || !("name" in definition)) return [];
  const { name, loc, kind } = definition;
  const description = "description" in definition ? definition.description : undefined;
  if (name === undefined || loc === undefined) return [];
  const uses = new Set<string>();
  visit(definition, { NamedType: ({ name: used }) => void uses.add(used.value) });
  return [
    {
      name: name.value,
      kind,
      description: description?.value ?? "",
      source: schema.slice(description?.loc?.end ?? loc.start, loc.end).trim(),
      uses,
    },
  ];
}

function contentOf(type: Type, types: readonly Type[]): readonly string[] {
  const linked = types.filter(({ name }) => type.uses.has(name));
  const users = types.filter(({ uses }) => uses.has(type.name));
  return [
    prose(type.description),
    block("graphql", type.source),
    [
      ...(linked.length === 0 ? [] : [`Types: ${linksTo(linked)}.`]),
      ...(users.length === 0 ? [] : [`Used by ${linksTo(users)}.`]),
    ].join(" "),
  ];
}

const linksTo = (types: readonly Type[]): string =>
  types.map(({ name }) => `[${code(name)}](#${name.toLowerCase()})`).join(", ");
