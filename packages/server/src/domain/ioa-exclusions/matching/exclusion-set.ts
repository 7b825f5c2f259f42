import { expressionNames, type Exclusion } from "../exclusions.ts";
import { requiredBy } from "../expression/required.ts";
import type { Requirement } from "../expression/requirement.ts";
import { pause } from "../../../foundation/work-turns.ts";
import type { CompiledExpressions } from "./compiled-expressions.ts";
import { Line } from "./line.ts";
import type { ProcessLines } from "./process-lines.ts";

/** The members of an exclusion that are used for matching. */
export interface Entry {
  readonly id: string;
  readonly name: string;
  readonly patternId: string;
  /** Null means all hosts. */
  readonly hostGroups: readonly string[] | null;
  /** The expressions in the order of `expressionNames`. Null matches any line. */
  readonly expressions: readonly (string | null)[];
}

const bytesPerEntry = 600;
/** Number of entries between two checks of the time. */
const entriesPerTurn = 256;

/**
 * The exclusions of a tenant, prepared for matching. An expression is compiled only if the line contains
 * the texts that the expression requires; few do. Requirements are computed at first use.
 */
export class ExclusionSet {
  /** Approximate bytes in memory. */
  readonly bytes: number;
  readonly #byPattern = new Map<string, Entry[]>();
  readonly #requirements = new Map<string, readonly Requirement[]>();

  /** `before`: an earlier set, whose computed requirements are reused. */
  constructor(entries: readonly Entry[], before?: ExclusionSet) {
    for (const entry of entries) {
      const present = this.#byPattern.get(entry.patternId);
      if (present === undefined) this.#byPattern.set(entry.patternId, [entry]);
      else present.push(entry);
      if (before !== undefined) this.#learnFrom(before, entry);
    }
    this.bytes = entries.reduce((sum, entry) => sum + bytesOf(entry), 0);
  }

  /** Number of expressions whose requirements are computed. */
  get known(): number {
    return this.#requirements.size;
  }

  #learnFrom(before: ExclusionSet, { expressions }: Entry): void {
    for (const text of expressions) {
      const requirements = text === null ? undefined : before.#requirements.get(text);
      if (text !== null && requirements !== undefined) this.#requirements.set(text, requirements);
    }
  }

  /**
   * Entries of these patterns whose expressions all match. `reaches` checks the host groups of an entry. Stops when
   * there are more than `most`.
   */
  async matching(
    lines: ProcessLines,
    patternIds: ReadonlySet<string>,
    reaches: (entry: Entry) => boolean,
    expressions: CompiledExpressions,
    most = Infinity,
  ): Promise<readonly Entry[]> {
    const process = expressionNames.map((name) => new Line(lines[name]));
    const matched: Entry[] = [];
    let looked = 0;
    for (const id of patternIds) {
      for (const entry of this.#byPattern.get(id) ?? []) {
        const candidate = this.#mayMatch(entry, process) && reaches(entry);
        if (candidate && matches(entry, process, expressions)) matched.push(entry);
        if (matched.length > most) return matched;
        looked += 1;
        if (candidate || looked % entriesPerTurn === 0) await pause();
      }
    }
    return matched;
  }

  #mayMatch({ expressions }: Entry, process: readonly Line[]): boolean {
    // The loop runs for every exclusion of the pattern, so it allocates nothing.
    for (let index = 0; index < expressions.length; index += 1) {
      const text = expressions[index] ?? null;
      const line = process[index];
      if (text === null || line === undefined) continue;
      for (const texts of this.#requiredBy(text)) {
        if (!containsAny(line, texts)) return false;
      }
    }
    return true;
  }

  #requiredBy(text: string): readonly Requirement[] {
    let requirements = this.#requirements.get(text);
    if (requirements === undefined) {
      // The longest text first, because it is the least likely to occur.
      requirements = requiredBy(text).toSorted((left, right) => lengthOf(right) - lengthOf(left));
      this.#requirements.set(text, requirements);
    }
    return requirements;
  }
}

function containsAny(line: Line, texts: Requirement): boolean {
  for (const text of texts) if (line.contains(text)) return true;
  return false;
}

const matches = (
  { expressions: texts }: Entry,
  process: readonly Line[],
  expressions: CompiledExpressions,
): boolean =>
  texts.every(
    (text, index) => text === null || expressions.matches(text, process[index]?.text ?? ""),
  );

const lengthOf = (texts: Requirement): number => Math.min(...texts.map(({ length }) => length));

const bytesOf = ({ name, expressions }: Entry): number =>
  bytesPerEntry + 6 * expressions.reduce((sum, text) => sum + (text?.length ?? 0), name.length);

/** The entry of a stored exclusion for matching. */
export const entryOf = (exclusion: Exclusion): Entry => ({
  id: exclusion.id,
  name: exclusion.name,
  patternId: exclusion.pattern_id,
  hostGroups: exclusion.applied_globally ? null : exclusion.host_groups,
  expressions: expressionNames.map((name) => exclusion[name] ?? null),
});
