import type { JsonSchema, OpenApiDocument } from "../document.ts";

/** What an object stands for: itself, or the component that its `$ref` names. */
export function resolve<Type extends object = JsonSchema>(
  document: OpenApiDocument,
  node: unknown,
): Type {
  const reference = (node as { readonly $ref?: string }).$ref;
  if (reference === undefined) return node as Type;
  let target: unknown = document;
  for (const part of reference.slice(2).split("/")) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    target = (target as Readonly<Record<string, unknown>> | undefined)?.[name];
  }
  if (target === undefined) throw new Error(`${reference} leads nowhere`);
  return resolve<Type>(document, target);
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
