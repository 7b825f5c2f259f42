import type { JsonSchema, OpenApiDocument } from "./document.ts";

/**
 * Both documents in one, for code that treats all operations alike. Throws if both contain the same path,
 * or describe the same component differently. Tags, paths and components are merged; everything else comes
 * from the first document.
 */
export function mergeDocuments(
  platform: OpenApiDocument,
  companion: OpenApiDocument,
): OpenApiDocument {
  for (const path of Object.keys(companion.paths)) {
    if (path in platform.paths) throw new Error(`both documents have the path ${path}`);
  }
  const kinds = new Set([
    ...Object.keys(platform.components),
    ...Object.keys(companion.components),
  ]);
  const components = Object.fromEntries(
    [...kinds].toSorted().map((kind) => [kind, mergeComponents(kind, platform, companion)]),
  );
  return {
    ...platform,
    tags: [...platform.tags, ...companion.tags],
    paths: { ...platform.paths, ...companion.paths },
    components: components as OpenApiDocument["components"],
  };
}

/** Throws if both describe a component of one name differently. */
export function requireSame(
  kind: string,
  own: Readonly<Record<string, JsonSchema>>,
  other: Readonly<Record<string, JsonSchema>>,
): void {
  for (const [name, component] of Object.entries(other)) {
    if (name in own && JSON.stringify(own[name]) !== JSON.stringify(component)) {
      throw new Error(`the documents describe components.${kind}.${name} differently`);
    }
  }
}

function mergeComponents(
  kind: string,
  platform: OpenApiDocument,
  companion: OpenApiDocument,
): Readonly<Record<string, JsonSchema>> {
  const [own, other] = [platform.components[kind] ?? {}, companion.components[kind] ?? {}];
  // Each document lists the scopes of its own operations.
  if (kind === "securitySchemes") return own;
  requireSame(kind, own, other);
  return Object.fromEntries(
    Object.entries({ ...own, ...other }).toSorted(([left], [right]) => (left < right ? -1 : 1)),
  );
}
