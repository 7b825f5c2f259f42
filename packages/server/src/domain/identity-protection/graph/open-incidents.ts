import { canonicalTimestamp, where, type Predicate } from "@security-platform/fql";
import type { Incident } from "../incidents.ts";
import { Batch } from "./batch.ts";
import type { Connection, ConnectionReader } from "./connection.ts";

const question = ["openIncidents"];
/** Minimum and maximum number of records per look-up. */
const fewest = 1_000;
const most = 20_000;

interface End {
  readonly startTime: string;
  readonly incidentId: string;
}

/** The unresolved incidents of entities, latest first. One look-up serves all entities of a level. */
export class OpenIncidents {
  readonly #reading: ConnectionReader;
  /** A query may request several pages by using aliases. */
  readonly #batches = new Map<string, Batch<Connection<Incident>>>();

  constructor(reading: ConnectionReader) {
    this.#reading = reading;
  }

  async of(
    entityId: string,
    { first, after }: { readonly first: number; readonly after: string | null | undefined },
  ): Promise<Connection<Incident>> {
    const key = JSON.stringify([first, after ?? null]);
    let batch = this.#batches.get(key);
    if (batch === undefined) {
      const end = this.#endOf(after);
      batch = new Batch((ids) => this.#find(ids, first, end));
      this.#batches.set(key, batch);
    }
    const incidents = await batch.load(entityId);
    const none = { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } };
    return incidents !== undefined && this.#reading.hasRoomFor(incidents.nodes.length)
      ? incidents
      : none;
  }

  #endOf(after: string | null | undefined): End | null {
    const position = this.#reading.open(after, question);
    if (position === undefined) return null;
    const [startTime, incidentId] = position.keys;
    return { startTime: String(startTime), incidentId: String(incidentId) };
  }

  async #find(
    ids: readonly string[],
    first: number,
    end: End | null,
  ): Promise<ReadonlyMap<string, Connection<Incident>>> {
    const connections = new Map<string, Connection<Incident>>();
    const atOnce = Math.floor(most / (first + 1));
    for (let from = 0; from < ids.length; from += atOnce) {
      const part = ids.slice(from, from + atOnce);
      const lists = await this.#lists(part, first, end);
      for (const [id, list] of lists) connections.set(id, this.#connection(list, first));
    }
    return connections;
  }

  /**
   * A look-up returns the latest incidents of all the entities together. Entities with a full page are
   * complete; once all records have been read, every entity is. The next look-up is for the remaining
   * entities. Each look-up completes at least one entity.
   */
  async #lists(
    ids: readonly string[],
    first: number,
    end: End | null,
  ): Promise<ReadonlyMap<string, readonly Incident[]>> {
    const { incidents: records, now } = this.#reading;
    const sort = [{ field: "startTime", direction: "desc" }] as const;
    const incidentsByEntity = new Map<string, readonly Incident[]>();
    let open = ids;
    while (open.length > 0) {
      const limit = Math.max(fewest, open.length * (first + 1));
      const query = { predicate: openOf(open, end), sort, limit, shape: "records", now } as const;
      const { items, next } = await records.page(query);
      const read = items.map((text) => JSON.parse(text) as Incident);
      const lists = [...byEntity(read, open, end)];
      const full = lists.filter(([, list]) => list.length > first);
      // Incidents with the start time of the cursor can fill a whole look-up, so possibly no list is full.
      const done = next === undefined || full.length === 0 ? lists : full;
      for (const [id, list] of done) incidentsByEntity.set(id, list);
      open = open.filter((id) => !incidentsByEntity.has(id));
    }
    return incidentsByEntity;
  }

  #connection(list: readonly Incident[], first: number): Connection<Incident> {
    const nodes = list.slice(0, first);
    const last = nodes.at(-1);
    const next =
      last === undefined || list.length <= first
        ? undefined
        : { snapshot: [], keys: [last.startTime, last.incidentId], place: 0, row: 0 };
    return { nodes, pageInfo: this.#reading.pageInfo(next, question) };
  }
}

function openOf(ids: readonly string[], end: End | null): Predicate {
  const open = where.all(
    where.anyOf("compromisedEntities", ids),
    where.anyOf("state", ["NEW", "IN_PROGRESS"]),
  );
  if (end === null) return open;
  const startTime = canonicalTimestamp(end.startTime) ?? end.startTime;
  return where.all(open, where.compare("startTime", "<=", startTime));
}

/** The incidents of each entity after `end`, in order. */
function byEntity(
  incidents: readonly Incident[],
  ids: readonly string[],
  end: End | null,
): ReadonlyMap<string, readonly Incident[]> {
  const lists = new Map<string, Incident[]>(ids.map((id) => [id, []]));
  for (const incident of incidents) {
    for (const id of incident.compromisedEntities) lists.get(id)?.push(incident);
  }
  if (end === null) return lists;
  return new Map(
    [...lists].map(([id, list]) => {
      const at = list.findIndex(({ incidentId }) => incidentId === end.incidentId);
      return [id, list.slice(at + 1)];
    }),
  );
}
