import {
  compareCodePoints,
  evaluate,
  fieldValues,
  lowerFilter,
  parseFilter,
  parseSort,
  type Fields,
  type FilterRecord,
  type Scalar,
  type SortKey,
} from "@security-platform/fql";
import { days } from "./manual-clock.ts";
import { heldFields, sightingFields, type Sighting } from "./sightings.ts";
import type { Resource } from "../../src/store/types/types.ts";

/** All fields that a query may use. */
export const modelFields: Fields = { ...sightingFields, ...heldFields };

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

/** One record in the result of a query. */
interface Match {
  readonly record: Sighting;
  readonly tenant: number;
  readonly row: number;
}

/** A tenant whose records a reader sees, and the visible part of them. */
export interface ModelOwner {
  readonly cid: string;
  readonly ancestor: string | null;
  readonly sees?: (record: Sighting) => boolean;
  /** The tenant whose records replace these if they have the same id or name. */
  readonly replacedBy?: string;
  /** The record with reader-dependent members: for filters, and as returned. */
  readonly withReader?: (record: Sighting) => Sighting;
  readonly shown?: (record: Sighting) => Sighting;
}

/**
 * The sightings of some tenants in plain lists: a simple model of the expected results of the
 * store.
 */
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

  /** The record with an id at `now`, deleted or not. */
  find(cid: string, id: string, now: Date): Kept | undefined {
    const kept = this.#of(cid).find(({ record }) => record.id === id);
    const gone = kept !== undefined && isPurged(kept, now);
    return gone ? undefined : kept;
  }

  /** Inserts a record, or replaces the one with the same id. */
  put(cid: string, record: Sighting, now: Date): void {
    const existing = this.find(cid, record.id, now);
    const row = existing?.row ?? (this.#rows.get(cid) ?? 0) + 1;
    if (existing === undefined) this.#rows.set(cid, row);
    const others = this.#of(cid).filter((each) => each.record.id !== record.id);
    this.#tenants.set(cid, [...others, { record, row, deletedAt: null }]);
  }

  remove(cid: string, id: string, now: Date): void {
    if (this.#resource.softDelete === undefined) {
      this.#tenants.set(
        cid,
        this.#of(cid).filter(({ record }) => record.id !== id),
      );
      return;
    }
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

  /** Like `answer`, but with hidden members. */
  records(question: Question, owners: readonly ModelOwner[]): readonly Sighting[] {
    return this.#matches(question, owners).map(({ record, tenant }) => {
      const { ancestor = null, shown } = owners[tenant] ?? {};
      const { from_parent: _, held: _held, held_tags: _heldTags, ...own } = record;
      if (ancestor !== null) return { ...own, from_parent: true, owner: ancestor };
      return shown?.(own) ?? own;
    });
  }

  /** As `records`, with the members that depend on the reader as filters see them. */
  asRead(question: Question, owners: readonly ModelOwner[]): readonly Sighting[] {
    return this.#matches(question, owners).map(({ record }) => record);
  }

  /** Live records by id as they were written, those of the last owner first. */
  stored(owners: readonly ModelOwner[], now: Date): ReadonlyMap<string, Sighting> {
    const live = owners.flatMap(({ cid, sees, replacedBy }) =>
      this.#of(cid).flatMap((kept) =>
        kept.deletedAt === null &&
        !isPurged(kept, now) &&
        sees?.(kept.record) !== false &&
        !this.#isReplaced(kept.record, replacedBy)
          ? [[kept.record.id, kept.record] as const]
          : [],
      ),
    );
    return new Map(live);
  }

  #matches({ filter, sort, now }: Question, owners: readonly ModelOwner[]): readonly Match[] {
    const predicate = lowerFilter(parseFilter(filter), modelFields, now);
    const asksForDeleted = filter.includes("deleted:true");
    const matches = owners.flatMap(({ cid, ancestor, sees, replacedBy, withReader }, tenant) =>
      this.#of(cid).flatMap((kept): Match[] => {
        const { record: stored, row } = kept;
        if (sees?.(stored) === false || this.#isReplaced(stored, replacedBy)) return [];
        if (isPurged(kept, now) || (kept.deletedAt !== null && !asksForDeleted)) return [];
        const turned = stored.expires_at != null && Date.parse(stored.expires_at) <= now.getTime();
        const record = turned ? (this.#resource.expiry?.after(stored) ?? stored) : stored;
        const inherits = this.#resource.visibility?.inheritedField !== undefined;
        const own = withReader?.(record) ?? record;
        const filtered = inherits ? { ...own, from_parent: ancestor !== null } : own;
        if (!evaluate(predicate, filtered, modelFields)) return [];
        return [{ record: filtered, tenant, row }];
      }),
    );
    const together = owners.some(({ replacedBy }) => replacedBy !== undefined);
    return inOrder(matches, parseSort(sort, modelFields), together);
  }

  #isReplaced(record: Sighting, by: string | undefined): boolean {
    if (by === undefined) return false;
    return this.#of(by).some(
      (own) => own.record.id === record.id || keyOf(own.record) === keyOf(record),
    );
  }

  /** Whether two of the records, or one and another record that the tenant sees, have the same name. */
  isNameTaken(records: readonly Sighting[], owners: readonly ModelOwner[], now: Date): boolean {
    const written = new Set(records.map(({ id }) => id));
    const others = [...this.stored(owners, now).values()].filter(({ id }) => !written.has(id));
    const names = new Set(records.map(keyOf));
    return names.size < records.length || others.some((other) => names.has(keyOf(other)));
  }
}

const keyOf = ({ name }: Sighting): string => name.toLowerCase();

const isPurged = ({ deletedAt }: Kept, now: Date): boolean =>
  deletedAt !== null && deletedAt + days(30) <= now.getTime();

/** `together`: records of all tenants are in one order of rows, those of earlier tenants first. */
function inOrder(
  matches: readonly Match[],
  sort: readonly SortKey[],
  together: boolean,
): readonly Match[] {
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
    const byTenant = left.tenant - right.tenant;
    return (together ? last * byTenant : byTenant) || last * (left.row - right.row);
  });
}

function valueOf(record: Sighting, name: string): Scalar | undefined {
  const field = modelFields[name];
  return field === undefined ? undefined : fieldValues(record as FilterRecord, name, field)[0];
}
