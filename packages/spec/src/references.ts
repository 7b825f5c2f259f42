import type { JsonSchema, OpenApiDocument } from "./document.ts";

/**
 * Resolves an object with a `$ref` to the component, merged with the siblings of the `$ref` (a
 * default, another description).
 */
export function resolve<Type extends object = JsonSchema>(
  document: OpenApiDocument,
  node: unknown,
): Type {
  const { $ref: reference, ...siblings } = node as { readonly $ref?: string };
  if (reference === undefined) return node as Type;
  let target: unknown = document;
  for (const part of reference.slice(2).split("/")) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    target = (target as Readonly<Record<string, unknown>> | undefined)?.[name];
  }
  if (target === undefined) throw new Error(`${reference} has no target`);
  const resolved = resolve<Type>(document, target);
  return Object.keys(siblings).length === 0 ? resolved : { ...resolved, ...siblings };
}

/** The values of a map of components, references resolved. */
export function resolveAll<Type extends object = JsonSchema>(
  document: OpenApiDocument,
  nodes: unknown,
): Record<string, Type> {
  return Object.fromEntries(
    Object.entries((nodes ?? {}) as Record<string, unknown>).map(([name, node]) => [
      name,
      resolve<Type>(document, node),
    ]),
  );
}
