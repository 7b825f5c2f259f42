import type { Direction } from "../change.ts";
import { operationsOf, pairOperations, type Operation } from "../compare/document-model.ts";
import { isObject, objectsOf, type Json, type JsonObject } from "../json.ts";
import type { LoadedDocument } from "../read/loaded-document.ts";
import type { Conjunction } from "../schema/canonical.ts";
import { isSchema } from "../schema/own-keywords.ts";
import { SchemaReader } from "../schema/schema-reader.ts";

/** One line of the client program, and the part of the old document that it uses. */
export interface Statement {
  readonly code: string;
  readonly operation: string;
  readonly direction: Direction;
  readonly pointer: string;
  /** Description of the line, for messages. */
  readonly use: string;
}

const deepest = 6;

/**
 * A client of the base document. Its lines use each member of requests and responses once. `Old`
 * and `New` are the types of both.
 */
export function clientStatements(
  base: LoadedDocument,
  revision: LoadedDocument,
): readonly Statement[] {
  const reader = new SchemaReader(base);
  const before = operationsOf(base, base.root["paths"]);
  const { kept } = pairOperations(before, operationsOf(revision, revision.root["paths"]));
  const statements: Statement[] = [];
  const seen = new Set<string>();
  for (const operation of before.values()) {
    if (!hasTypes(operation)) continue;
    const other = kept.get(operation);
    if (other === undefined) {
      statements.push(callOf(base, operation));
      continue;
    }
    for (const root of rootsOf(base, operation, other)) {
      const walk = { reader, statements, seen, operation: other.name, root };
      visit(walk, root.schema, []);
    }
  }
  return statements;
}

/** openapi-typescript has no types for the other methods of OpenAPI 3.2. */
const hasTypes = ({ name }: Operation): boolean =>
  /^(?:GET|PUT|POST|DELETE|OPTIONS|HEAD|PATCH|TRACE) /.test(name);

/** A line that requires an operation to exist. */
function callOf(document: LoadedDocument, { name, path, node }: Operation): Statement {
  const type = `New[${JSON.stringify(path)}][${JSON.stringify(name.split(" ")[0]?.toLowerCase())}]`;
  return {
    code: `(operation: ${type}) => operation.responses;`,
    operation: name,
    direction: "request",
    pointer: document.pointer(node),
    use: "calls the operation",
  };
}

interface Root {
  readonly direction: Direction;
  readonly schema: Conjunction;
  /** The types of the message in both documents. */
  readonly oldType: string;
  readonly newType: string;
}

function rootsOf(document: LoadedDocument, before: Operation, after: Operation): readonly Root[] {
  const typeOf = (namespace: string, { path, name }: Operation, rest: string): string =>
    `${namespace}[${JSON.stringify(path)}][${JSON.stringify(name.split(" ")[0]?.toLowerCase())}]${rest}`;
  const root = (direction: Direction, schema: Json | undefined, rest: string): readonly Root[] =>
    isSchema(schema)
      ? [
          {
            direction,
            schema: [schema],
            oldType: typeOf("Old", before, rest),
            newType: typeOf("New", after, rest),
          },
        ]
      : [];
  const { requestBody, responses } = before.node;
  const body = isObject(requestBody) ? document.resolve(requestBody) : {};
  return [
    ...[...before.parameters().values()].flatMap(({ node, name, in: place }) =>
      place === "query" || place === "path"
        ? root(
            "request",
            node["schema"],
            // A parameter may be optional, and so may all parameters of a kind.
            `["parameters"]["${place}"]`,
          ).map((each) => member(each, name))
        : [],
    ),
    ...contentOf(body).flatMap(([media, node]) =>
      root("request", node["schema"], `["requestBody"]["content"][${JSON.stringify(media)}]`).map(
        (each) => ({
          ...each,
          oldType: nonNullableBody(each.oldType),
          newType: nonNullableBody(each.newType),
        }),
      ),
    ),
    ...objectsOf(responses).flatMap(([status, reference]) =>
      contentOf(document.resolve(reference)).flatMap(([media, node]) =>
        root(
          "response",
          node["schema"],
          `["responses"][${JSON.stringify(/^\d+$/.test(status) ? Number(status) : status)}]["content"][${JSON.stringify(media)}]`,
        ),
      ),
    ),
  ];
}

/** Only JSON bodies: for a compiler, other bodies are texts or files. */
const contentOf = (node: JsonObject): readonly (readonly [string, JsonObject])[] =>
  objectsOf(node["content"]).filter(([media]) => /[/+]json\b/i.test(media));

const member = (root: Root, name: string): Root => ({
  ...root,
  oldType: `NonNullable<${root.oldType}>[${JSON.stringify(name)}]`,
  newType: `NonNullable<${root.newType}>[${JSON.stringify(name)}]`,
});

/** The type of a body that may be absent. */
const nonNullableBody = (type: string): string =>
  type.replace(/^(.*\["requestBody"\])(\["content"\].*)$/, "NonNullable<$1>$2");

interface Walk {
  readonly reader: SchemaReader;
  readonly statements: Statement[];
  readonly seen: Set<string>;
  readonly operation: string;
  readonly root: Root;
}

/** The type at a path inside a type; each step may be optional. */
const stepped = (type: string, steps: readonly string[]): string =>
  steps.reduce((inner, step) => `NonNullable<${inner}>${step}`, type);

function visit(walk: Walk, schema: Conjunction, steps: readonly string[]): void {
  const { reader, root, seen, operation } = walk;
  const [outer] = reader.outer(schema);
  const pointer = outer === undefined ? "#" : reader.document.pointer(outer);
  const oldType = stepped(root.oldType, steps);
  const newType = stepped(root.newType, steps);
  const [from, to] = root.direction === "request" ? [oldType, newType] : [newType, oldType];
  const add = (code: string, use: string) =>
    walk.statements.push({ code, operation, direction: root.direction, pointer, use });
  const verb = root.direction === "request" ? "sends" : "reads";
  if (steps.length === 0) add(`(value: ${from}): ${to} => value;`, `${verb} it as a whole`);
  // A schema that several messages share is visited once.
  const key = `${reader.key(schema)} ${root.direction}`;
  if (steps.length > deepest || seen.has(key)) return;
  seen.add(key);
  const { atoms } = reader.canonical(schema);
  const [atom] = atoms;
  if (atoms.length !== 1 || atom === undefined) return;
  if (atom.type === "array" && atom.prefix.length === 0) {
    visit(walk, atom.rest, [...steps, "[number]"]);
  }
  if (atom.type !== "object") return;
  for (const [name, child] of atom.properties) {
    const hidden = root.direction === "request" ? "readOnly" : "writeOnly";
    if (reader.outer(child).some((node) => node[hidden] === true)) continue;
    const text = JSON.stringify(name);
    const step = `[${text}]`;
    // An unknown member is a compile error, both in a literal and when it is read.
    add(
      root.direction === "request"
        ? `(value: NonNullable<${oldType}>): Partial<NonNullable<${newType}>> => ({ ${text}: value${step}! });`
        : `(value: NonNullable<${newType}>) => value${step};`,
      `${verb} the member ${name}`,
    );
    visit(walk, child, [...steps, step]);
  }
}
