import { where, type Fields } from "@security-platform/fql";
import type { ReadScope, Resource } from "../../src/store/types/types.ts";

/** A fictional kind of record that uses all features of the store. */
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
  /** Hidden if the resource declares it. */
  readonly rank?: number | null;
  readonly known_to?: readonly string[];
  /** These members depend on the reader. */
  readonly held?: boolean;
  readonly held_tags?: readonly string[];
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
  /** The same values. */
  labels: { type: "string", array: true, case: "insensitive", path: "tags" },
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
  expiry: {
    at: ({ expires_at }) => expires_at ?? null,
    after: (sighting) => ({ ...sighting, expired: true, state: "over" }),
    changes: ["expired", "state"],
  },
  softDelete: { days: 30, mark: (sighting) => ({ ...sighting, deleted: true }) },
  visibility: {
    sources: ["own", "ancestor"],
    inheritedField: "from_parent",
    shownAsStored: ["own"],
    show: (sighting, _scope, { tenant }) => ({
      ...sighting,
      from_parent: true,
      ...(tenant === null ? {} : { owner: tenant.name }),
    }),
  },
  indexes: ["name", "kind", "score", "seen_at", "state"],
};

const { visibility: _, ...notInherited } = sightings;

/** Sightings of the platform, each visible to the tenants in `known_to`. */
export const sharedSightings: Resource<Sighting> = {
  ...notInherited,
  name: "shared_sightings",
  hidden: ["rank", "known_to"],
  visibility: { sources: ["platform"], audience: "known_to" },
};

/** Sightings with effects when they are seen and when they expire. */
export const timedSightings: Resource<Sighting> = {
  ...notInherited,
  name: "timed_sightings",
  hidden: ["rank"],
  due: {
    seen: { at: ({ seen_at }) => seen_at ?? null },
    expiry: { at: ({ expires_at, state }) => (state === "over" ? null : (expires_at ?? null)) },
  },
};

/** Sightings that every tenant sees, stored once with the platform. */
export const platformSightings: Resource<Sighting> = {
  ...notInherited,
  name: "platform_sightings",
  visibility: { sources: ["platform"] },
};

const { softDelete: _softDelete, ...lasting } = notInherited;

/** Sightings of the tenant and of the platform; those of the tenant take precedence. */
export const catalogueSightings: Resource<Sighting> = {
  ...lasting,
  name: "catalogue_sightings",
  visibility: { sources: ["own", "platform"] },
};

/** A reader who holds tags. */
export interface TagScope extends ReadScope {
  readonly tags: readonly string[];
}

export const heldFields: Fields = {
  held: { type: "boolean", sortable: true },
  held_tags: { type: "string", array: true },
};

/**
 * Sightings with tags are seen only by readers who hold one of them, and show whether the reader
 * does.
 */
export const taggedSightings: Resource<Sighting, TagScope> = {
  ...notInherited,
  name: "tagged_sightings",
  hidden: ["rank"],
  visibility: {
    condition: (scope) => where.any(where.absent("tags"), where.anyOf("tags", scope.tags)),
    fields: heldFields,
    fieldFor: (name, { tags }) =>
      name === "held"
        ? { kind: "choice", when: where.anyOf("tags", tags), value: true, otherwise: false }
        : { kind: "elements", of: "tags", among: tags, or: "kind" },
    show: (sighting, { tags }) => ({ ...sighting, held: holdsOne(sighting, tags) }),
  },
};

export const holdsOne = ({ tags = [] }: Sighting, held: readonly string[]): boolean =>
  tags.some((tag) => held.includes(tag));

export const sighting = (id: string, rest: Partial<Sighting> = {}): Sighting => ({
  id,
  name: `name ${id}`,
  ...rest,
});

/** Sightings whose notes are secrets. */
export const sealedSightings: Resource<Sighting> = {
  ...sightings,
  hidden: ["note", "rank"],
  sealed: ["note"],
};

/** Sightings whose names are full texts and whose rank is hidden. */
export const earlierSightings: Resource<Sighting> = {
  ...sightings,
  words: "name",
  hidden: ["rank"],
};

/** The same in a later version of the server: a kind is required, and no tag is empty. */
export const upgradedSightings: Resource<Sighting> = {
  ...earlierSightings,
  upgrade: {
    revision: 1,
    run: ({ id, name, kind = "unknown", tags = [], ...rest }) => ({
      id,
      name: name.replace("seen", "observed"),
      kind,
      ...rest,
      tags: tags.filter((tag) => tag !== ""),
    }),
  },
};
