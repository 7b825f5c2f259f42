import { servedDocument, type components } from "@security-platform/spec";

type SchemaName = keyof components["schemas"] & string;

/** A record whose members are not in order yet. A member without a value is `undefined`. */
export type Unordered<Record> = { readonly [Name in keyof Record]: Record[Name] | undefined };

type Members = Readonly<Record<string, unknown>>;

/** A member of a schema. `schema` describes its value if the value is an object of the document. */
interface Member {
  readonly name: string;
  readonly schema: string | null;
}

const membersBySchema = new Map<string, readonly Member[]>();

/**
 * Returns a function that orders the members of records as in a schema, so that equal records have equal
 * texts. `hidden` members, which are not in the schema, come last. Other members and members without a value
 * are omitted.
 */
export function memberOrder<Stored extends object>(
  schema: SchemaName,
  hidden: readonly string[] = [],
): (record: Unordered<Stored>) => Stored {
  const members = [...membersOf(schema), ...hidden.map((name) => ({ name, schema: null }))];
  return (record) => inOrder(record as Members, members) as Stored;
}

function inOrder(record: Members, members: readonly Member[]): Members {
  const ordered: Record<string, unknown> = {};
  for (const { name, schema } of members) {
    const value = record[name];
    if (value === undefined) continue;
    ordered[name] = schema !== null && isObject(value) ? inOrder(value, membersOf(schema)) : value;
  }
  return ordered;
}

const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function membersOf(schema: string): readonly Member[] {
  const cachedMembers = membersBySchema.get(schema);
  if (cachedMembers !== undefined) return cachedMembers;
  const properties = propertiesOf(schema);
  if (properties === undefined) throw new Error(`the schema ${schema} lists no properties`);
  const members = Object.entries(properties).map(([name, { $ref }]) => {
    const target = $ref?.slice($ref.lastIndexOf("/") + 1);
    const isOrdered = target !== undefined && propertiesOf(target) !== undefined;
    return { name, schema: isOrdered ? target : null };
  });
  membersBySchema.set(schema, members);
  return members;
}

const propertiesOf = (schema: string) =>
  servedDocument().schemas[schema]?.["properties"] as
    Readonly<Record<string, { readonly $ref?: string }>> | undefined;
