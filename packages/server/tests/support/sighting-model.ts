import {
  compareCodePoints,
  evaluate,
  fieldValues,
  lowerFilter,
  parseFilter,
  parseSort,
  type FilterRecord,
  type Scalar,
  type SortKey,
} from "@security-platform/fql";
import { days } from "./manual-clock.ts";
import { sightingFields, type Sighting } from "./sightings.ts";
import type { Resource } from "../../src/store/types.ts";

interface Kept {
  readonly record: Sighting;
  readonly row: number;
  readonly deletedAt: number | null;
}

export interface Question {
  readonly filter: string;
  readonly sort: string;
  readonly now: Date;
}

/** One record in the answer to a question. */
interface Match {
  readonly record: Sighting;
  readonly tenant: number;
  readonly row: number;
}

/** Whose records are asked for, and where only some of them: whose they must be known to. */
export interface ModelOwner {
  readonly cid: string;
  readonly ancestor: string | null;
  readonly audience?: string;
}

/** The sightings of some tenants in plain lists: what the store must answer, in the plainest way. */
export class SightingModel {
  readonly #resource: Resource<Sighting>;
  readonly #tenants = new Map<string, Kept[]>();
  readonly #rows = new Map<string, number>();

  constructor(resource: Resource<Sighting>) {
    this.#resource = resource;
  }

  #of(cid: string): readonly Kept[] {
    return this.#tenants.get(cid) ?? [];
  }

  /** What is kept under an id at `now`, deleted or not. */
  find(cid: string, id: string, now: Date): Kept | undefined {
    const kept = this.#of(cid).find(({ record }) => record.id === id);
    const gone = kept !== undefined && isPurged(kept, now);
    return gone ? undefined : kept;
  }

  /** Inserts, or replaces what has the same id. */
  put(cid: string, record: Sighting, now: Date): void {
    const known = this.find(cid, record.id, now);
    const row = known?.row ?? (this.#rows.get(cid) ?? 0) + 1;
    if (known === undefined) this.#rows.set(cid, row);
    const others = this.#of(cid).filter((each) => each.record.id !== record.id);
    this.#tenants.set(cid, [...others, { record, row, deletedAt: null }]);
  }

  remove(cid: string, id: string, now: Date): void {
    this.#tenants.set(
      cid,
      this.#of(cid).map((each) =>
        each.record.id !== id || each.deletedAt !== null
          ? each
          : { ...each, record: { ...each.record, deleted: true }, deletedAt: now.getTime() },
      ),
    );
  }

  /** Texts in order; `owners` are the tenants in sight, the reader first if it is among them. */
  answer(question: Question, owners: readonly ModelOwner[]): readonly string[] {
    const hidden = this.#resource.hidden ?? [];
    return this.records(question, owners).map((record) =>
      JSON.stringify(record, (name, value: unknown) => (hidden.includes(name) ? undefined : value)),
    );
  }

  /** As `answer`, with hidden members. */
  records({ filter, sort, now }: Question, owners: readonly ModelOwner[]): readonly Sighting[] {
    const predicate = lowerFilter(parseFilter(filter), sightingFields, now);
    const asksForDeleted = filter.includes("deleted:true");
    const matches = owners.flatMap(({ cid, ancestor, audience }, tenant) =>
      this.#of(cid).flatMap((kept): Match[] => {
        const { record: stored, row } = kept;
        if (audience !== undefined && !stored.known_to?.includes(audience)) return [];
        if (isPurged(kept, now) || (kept.deletedAt !== null && !asksForDeleted)) return [];
        const turned = stored.expires_at != null && Date.parse(stored.expires_at) <= now.getTime();
        const record = turned ? (this.#resource.turn?.after(stored) ?? stored) : stored;
        const inherits = this.#resource.inherited !== undefined;
        const filtered = inherits ? { ...record, from_parent: ancestor !== null } : record;
        if (!evaluate(predicate, filtered, sightingFields)) return [];
        return [{ record: filtered, tenant, row }];
      }),
    );
    return inOrder(matches, parseSort(sort, sightingFields)).map(({ record, tenant }) => {
      const ancestor = owners[tenant]?.ancestor ?? null;
      const { from_parent: _, ...own } = record;
      return ancestor === null ? own : { ...own, from_parent: true, owner: ancestor };
    });
  }
}

const isPurged = ({ deletedAt }: Kept, now: Date): boolean =>
  deletedAt !== null && deletedAt + days(30) <= now.getTime();

function inOrder(matches: readonly Match[], sort: readonly SortKey[]): readonly Match[] {
  const last = sort.at(-1)?.direction === "desc" ? -1 : 1;
  return matches.toSorted((left, right) => {
    for (const { field, direction } of sort) {
      const one = valueOf(left.record, field);
      const other = valueOf(right.record, field);
      if (one === undefined && other === undefined) continue;
      if (one === undefined || other === undefined) return one === undefined ? 1 : -1;
      const difference =
        typeof one === "string"
          ? compareCodePoints(one, String(other))
          : Number(one) - Number(other);
      if (difference !== 0) return direction === "asc" ? difference : -difference;
    }
    return left.tenant - right.tenant || last * (left.row - right.row);
  });
}

function valueOf(record: Sighting, name: string): Scalar | undefined {
  const field = sightingFields[name];
  return field === undefined ? undefined : fieldValues(record as FilterRecord, name, field)[0];
}
