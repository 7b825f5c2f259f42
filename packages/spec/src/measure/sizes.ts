/** Lengths of the files of a folder, in lines. */
export interface Sizes {
  readonly name: string;
  readonly files: number;
  readonly median: number;
  readonly p90: number;
  readonly largest: number;
  readonly largestFile: string;
}

/** Sizes of named texts, grouped by `groupOf`; groups are sorted by name. */
export function sizesBy(
  texts: ReadonlyMap<string, string>,
  groupOf: (path: string) => string,
): readonly Sizes[] {
  const groups = new Map<string, { readonly path: string; readonly lines: number }[]>();
  for (const [path, text] of texts) {
    const group = groups.get(groupOf(path)) ?? [];
    group.push({ path, lines: text.split("\n").length - 1 });
    groups.set(groupOf(path), group);
  }
  return [...groups]
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, group]) => {
      const sorted = group.toSorted((left, right) => left.lines - right.lines);
      const at = (part: number): number => sorted[Math.ceil(sorted.length * part) - 1]?.lines ?? 0;
      return {
        name,
        files: sorted.length,
        median: at(0.5),
        p90: at(0.9),
        largest: at(1),
        largestFile: sorted.at(-1)?.path ?? "",
      };
    });
}
