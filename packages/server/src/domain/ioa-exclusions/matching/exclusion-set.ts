import { expressionNames, type Exclusion } from "../exclusions.ts";
import { foldProcessText, requirementsOf, type Requirement } from "../expression/required.ts";
import { treeOf } from "../expression/tree.ts";
import { pauses } from "../pauses.ts";
import type { CompiledExpressions } from "./compiled-expressions.ts";
import { GramCounts, GramIndex } from "./gram-index.ts";
import type { ProcessLines } from "./process-lines.ts";

/** One exclusion, as far as matching needs it. */
export interface Entry {
  readonly id: string;
  readonly name: string;
  readonly patternId: string;
  /** Null: every host. */
  readonly hostGroups: readonly string[] | null;
  /** In the order of `expressionNames`; null: matches anything. */
  readonly expressions: readonly (string | null)[];
}

/** A text that the line with this number has to contain, or else the entry does not match. */
interface Condition {
  readonly line: number;
  readonly texts: Requirement;
}

interface Candidate {
  readonly entry: Entry;
  readonly conditions: readonly Condition[];
}

/** Requirements by expression; most exclusions of a set share some expressions. */
type Known = Map<string, readonly Requirement[]>;

const bytesPerEntry = 600;

/**
 * The exclusions of a tenant, ready to be held against processes. Of those whose expressions require
 * a text, only the ones whose text occurs are looked at; expressions are compiled when needed.
 */
export class ExclusionSet {
  /** About what the set takes in memory. */
  readonly bytes: number;
  readonly #index = new GramIndex<Candidate>();
  /** Those that require nothing that could be looked up, by pattern. */
  readonly #others = new Map<string, Candidate[]>();

  constructor(entries: readonly Entry[]) {
    const known: Known = new Map();
    const counts = new GramCounts();
    const candidates = entries.map((entry) => ({
      entry,
      conditions: conditionsOf(entry, known),
    }));
    for (const { conditions } of candidates) {
      for (const { line, texts } of conditions) {
        for (const text of texts) counts.add(line, text);
      }
    }
    for (const candidate of candidates) this.#add(candidate, counts);
    this.bytes = entries.reduce((sum, entry) => sum + bytesOf(entry), 0);
  }

  #add(candidate: Candidate, counts: GramCounts): void {
    const buckets = bestBuckets(candidate, counts);
    if (buckets !== null) {
      for (const bucket of buckets) this.#index.add(bucket, candidate);
      return;
    }
    const { patternId } = candidate.entry;
    const present = this.#others.get(patternId);
    if (present === undefined) this.#others.set(patternId, [candidate]);
    else present.push(candidate);
  }

  /** The entries of the given patterns whose every expression matches, for hosts as `reaches` says. */
  async matching(
    lines: ProcessLines,
    patternIds: ReadonlySet<string>,
    reaches: (entry: Entry) => boolean,
    expressions: CompiledExpressions,
  ): Promise<readonly Entry[]> {
    const texts = expressionNames.map((name) => lines[name]);
    const folded = texts.map(foldProcessText);
    const matched: Entry[] = [];
    const pause = pauses();
    for (const { entry, conditions } of this.#candidates(folded, patternIds)) {
      if (!conditions.every((condition) => holds(condition, folded)) || !reaches(entry)) continue;
      const matches = entry.expressions.every(
        (text, line) => text === null || expressions.matches(text, texts[line] ?? ""),
      );
      if (matches) matched.push(entry);
      // oxlint-disable-next-line no-await-in-loop -- that is what it is for
      await pause();
    }
    return matched;
  }

  #candidates(folded: readonly string[], patternIds: ReadonlySet<string>): ReadonlySet<Candidate> {
    const found = new Set<Candidate>();
    for (const [line, text] of folded.entries()) {
      this.#index.search(line, text, (candidate) => {
        if (patternIds.has(candidate.entry.patternId)) found.add(candidate);
      });
    }
    for (const id of patternIds) {
      for (const candidate of this.#others.get(id) ?? []) found.add(candidate);
    }
    return found;
  }
}

const holds = ({ line, texts }: Condition, folded: readonly string[]): boolean =>
  texts.some((text) => folded[line]?.includes(text));

function conditionsOf({ expressions }: Entry, known: Known): readonly Condition[] {
  return expressions.flatMap((text, line) =>
    text === null ? [] : requiredBy(text, known).map((texts) => ({ line, texts })),
  );
}

function requiredBy(text: string, known: Known): readonly Requirement[] {
  let requirements = known.get(text);
  if (requirements === undefined) {
    const tree = treeOf(text);
    requirements = tree === null ? [] : requirementsOf(tree);
    known.set(text, requirements);
  }
  return requirements;
}

/** Where to register a candidate so that it is found: the buckets of the condition that tells most. */
function bestBuckets({ conditions }: Candidate, counts: GramCounts): readonly number[] | null {
  let best: { readonly buckets: readonly number[]; readonly count: number } | null = null;
  for (const { line, texts } of conditions) {
    const rarest = texts.map((text) => counts.rarest(line, text));
    const found = rarest.flatMap((each) => each ?? []);
    if (found.length < texts.length) continue;
    const count = found.reduce((sum, each) => sum + each.count, 0);
    if (best === null || count < best.count) {
      best = { buckets: [...new Set(found.map(({ bucket }) => bucket))], count };
    }
  }
  return best?.buckets ?? null;
}

const bytesOf = ({ name, expressions }: Entry): number =>
  bytesPerEntry + 6 * expressions.reduce((sum, text) => sum + (text?.length ?? 0), name.length);

/** What matching needs of a stored exclusion. */
export const entryOf = (exclusion: Exclusion): Entry => ({
  id: exclusion.id,
  name: exclusion.name,
  patternId: exclusion.pattern_id,
  hostGroups: exclusion.applied_globally ? null : exclusion.host_groups,
  expressions: expressionNames.map((name) => exclusion[name] ?? null),
});
