/** Maximum number of items and members in a sample. No schema has as many members. */
const itemsKept = 100;
const membersKept = 1_000;

/** Whether a JSON value contains more than `limit` values. Stops counting at the limit. */
export function isLargerThan(limit: number, value: unknown): boolean {
  return countUpTo(limit, value) > limit;
}

function countUpTo(limit: number, value: unknown): number {
  if (value === null || typeof value !== "object") return 1;
  let count = 1;
  // `for … in` over a list is much slower.
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && count <= limit; at += 1) {
      count += countUpTo(limit - count, value[at]);
    }
    return count;
  }
  for (const name in value) {
    if (count > limit) break;
    count += countUpTo(limit - count, (value as Record<string, unknown>)[name]);
  }
  return count;
}

/** The value with only the first items of each list. */
export function sampleOf(value: unknown): unknown {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.slice(0, itemsKept).map(sampleOf);
  const sample: [string, unknown][] = [];
  for (const name in value) {
    if (sample.length === membersKept) break;
    sample.push([name, sampleOf((value as Record<string, unknown>)[name])]);
  }
  return Object.fromEntries(sample);
}
