import type { Fields } from "@security-platform/fql";
import type { Resource } from "../../src/store/types.ts";

/** A made-up kind of record that uses all that the store can do. */
export type Sighting = {
  readonly id: string;
  readonly name: string;
  readonly kind?: string | null;
  readonly level?: string;
  readonly score?: number | null;
  readonly active?: boolean;
  readonly seen_at?: string | null;
  readonly address?: string | null;
  readonly tags?: readonly string[];
  readonly ports?: readonly number[];
  readonly expires_at?: string | null;
  readonly expired?: boolean;
  readonly state?: string;
  readonly deleted?: boolean;
  readonly from_parent?: boolean;
  readonly owner?: string;
  readonly note?: string;
  /** Hidden, where the resource says so. */
  readonly rank?: number | null;
  readonly known_to?: readonly string[];
};

export const sightingFields: Fields = {
  id: { type: "string", sortable: true },
  name: { type: "string", sortable: true, case: "insensitive" },
  kind: { type: "string", sortable: true },
  level: { type: "string", values: ["low", "medium", "high"], sortable: true },
  level_number: {
    type: "number",
    sortable: true,
    derive: { from: "level", map: { low: 10, medium: 50, high: 90 }, otherwise: 0 },
  },
  score: { type: "number", sortable: true },
  active: { type: "boolean", sortable: true },
  seen_at: { type: "timestamp", sortable: true },
  address: { type: "ip", sortable: true },
  tags: { type: "string", array: true },
  ports: { type: "number", array: true },
  expires_at: { type: "timestamp", sortable: true },
  expired: { type: "boolean", sortable: true },
  state: { type: "string", sortable: true },
  deleted: { type: "boolean" },
  from_parent: { type: "boolean", sortable: true },
  rank: { type: "number", sortable: true },
  known_to: { type: "string", array: true },
};

export const sightings: Resource<Sighting> = {
  name: "sightings",
  collection: "test",
  fields: sightingFields,
  id: "id",
  uniqueKey: ({ name }) => name.toLowerCase(),
  turn: {
    at: ({ expires_at }) => expires_at ?? null,
    after: (sighting) => ({ ...sighting, expired: true, state: "over" }),
    changes: ["expired", "state"],
  },
  softDelete: { days: 30, mark: (sighting) => ({ ...sighting, deleted: true }) },
  inherited: {
    field: "from_parent",
    view: (sighting, owner) => ({ ...sighting, from_parent: true, owner: owner.name }),
  },
  indexes: ["name", "kind", "score", "seen_at", "state"],
};

const { inherited: _, ...notInherited } = sightings;

/** Sightings that the platform keeps for all, each seen by the tenants in `known_to`. */
export const sharedSightings: Resource<Sighting> = {
  ...notInherited,
  name: "shared_sightings",
  hidden: ["rank", "known_to"],
  audience: "known_to",
};

/** Sightings to which something happens when they are seen and when they expire. */
export const timedSightings: Resource<Sighting> = {
  ...notInherited,
  name: "timed_sightings",
  hidden: ["rank"],
  due: {
    seen: { at: ({ seen_at }) => seen_at ?? null },
    expiry: { at: ({ expires_at, state }) => (state === "over" ? null : (expires_at ?? null)) },
  },
};

export const sighting = (id: string, rest: Partial<Sighting> = {}): Sighting => ({
  id,
  name: `name ${id}`,
  ...rest,
});
