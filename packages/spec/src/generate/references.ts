import type { JsonSchema, OpenApiDocument } from "../document.ts";

/**
 * What an object stands for: itself, or the component that its `$ref` names, with what stands beside
 * the `$ref` (a default, another description).
 */
export function resolve<Type extends object = JsonSchema>(
  document: OpenApiDocument,
  node: unknown,
): Type {
  const { $ref: reference, ...beside } = node as { readonly $ref?: string };
  if (reference === undefined) return node as Type;
  let target: unknown = document;
  for (const part of reference.slice(2).split("/")) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    target = (target as Readonly<Record<string, unknown>> | undefined)?.[name];
  }
  if (target === undefined) throw new Error(`${reference} leads nowhere`);
  const found = resolve<Type>(document, target);
  return Object.keys(beside).length === 0 ? found : { ...found, ...beside };
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
