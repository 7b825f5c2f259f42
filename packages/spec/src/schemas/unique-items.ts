/**
 * Whether no two JSON values are equal. The order of an object's members does not matter. Comparing each item with each
 * other one would take a second for the longest lists of the document.
 */
export function areDifferent(items: readonly unknown[]): boolean {
  const plain = new Set<unknown>();
  const texts = new Set<string>();
  for (const item of items) {
    if (typeof item !== "object" || item === null) {
      if (plain.size === plain.add(item).size) return false;
    } else if (texts.size === texts.add(JSON.stringify(item, inOrder)).size) return false;
  }
  return true;
}

const inOrder = (_name: string, value: unknown): unknown =>
  typeof value !== "object" || value === null || Array.isArray(value)
    ? value
    : Object.fromEntries(
        Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1)),
      );
