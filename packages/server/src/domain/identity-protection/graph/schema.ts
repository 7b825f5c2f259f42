import { canonicalInstant } from "@security-platform/fql";
import { identityGraphqlSchema } from "@security-platform/spec";
import {
  assertValidSchema,
  buildSchema,
  isInterfaceType,
  isObjectType,
  isScalarType,
  type GraphQLSchema,
} from "graphql";
import { shown } from "@security-platform/spec/schemas";
import { fieldResolvers, typeResolvers } from "./resolvers.ts";

let cachedSchema: GraphQLSchema | undefined;

/** The executable schema: the document's schema with the resolvers. Built for the first query. */
export function identitySchema(): GraphQLSchema {
  cachedSchema ??= withResolvers(buildSchema(identityGraphqlSchema()));
  return cachedSchema;
}

function withResolvers(schema: GraphQLSchema): GraphQLSchema {
  assertValidSchema(schema);
  for (const [typeName, resolvers] of Object.entries(fieldResolvers)) {
    const type = schema.getType(typeName);
    const fields = isObjectType(type) ? type.getFields() : {};
    for (const [name, resolve] of Object.entries(resolvers)) {
      const field = fields[name];
      if (field === undefined) throw new Error(`the GraphQL schema has no ${typeName}.${name}`);
      field.resolve = resolve;
    }
  }
  for (const [typeName, resolveType] of Object.entries(typeResolvers)) {
    const type = schema.getType(typeName);
    if (!isInterfaceType(type)) throw new Error(`the GraphQL schema has no interface ${typeName}`);
    type.resolveType = resolveType;
  }
  for (const [typeName, read] of Object.entries(scalars)) {
    const type = schema.getType(typeName);
    if (!isScalarType(type)) throw new Error(`the GraphQL schema has no scalar ${typeName}`);
    type.coerceInputValue = (value) => {
      const parsed = typeof value === "string" ? read(value) : null;
      if (parsed !== null) return parsed;
      // graphql-js adds the location of the value to errors that are not GraphQL errors.
      throw new TypeError(`expected ${expected[typeName]}, got ${shown(value)}`);
    };
  }
  return schema;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Convert a text to its stored form, or to null if it is invalid. */
const scalars: Readonly<Record<string, (text: string) => string | null>> = {
  UUID: (text) => (uuid.test(text) ? text.toLowerCase() : null),
  DateTime: canonicalInstant,
  Cursor: (text) => text,
};

const expected: Readonly<Record<string, string>> = {
  UUID: "a UUID",
  DateTime: "an RFC 3339 timestamp such as 2026-03-01T12:00:00Z",
  Cursor: "the endCursor of a page",
};
