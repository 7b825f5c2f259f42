/** Maximum number of nested levels that a server reads. */
export const mostLevels = 100;

/**
 * Whether a value has more levels than a server reads. Aliases of YAML may put a value into itself, any number of times.
 */
export function isDeep(root: unknown): boolean {
  let level = new Set(objectsIn([root]));
  for (let depth = 1; depth <= mostLevels; depth += 1) {
    if (level.size === 0) return false;
    level = new Set([...level].flatMap((value) => objectsIn(Object.values(value))));
  }
  return level.size > 0;
}

const objectsIn = (values: readonly unknown[]): readonly object[] =>
  values.filter((value) => typeof value === "object" && value !== null);
