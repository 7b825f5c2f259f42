import { platformCid, type ReadScope, type Resource } from "../../src/store/types/types.ts";
import { SightingModel, type ModelOwner } from "./sighting-model.ts";
import {
  catalogueSightings,
  holdsOne,
  platformSightings,
  sharedSightings,
  sightings,
  taggedSightings,
  type Sighting,
  type TagScope,
} from "./sightings.ts";

export interface ModelScope extends Required<ReadScope> {
  readonly tags: readonly string[];
}

/** One kind of sighting: in the store, in the model, and as seen by a reader. */
export interface Side {
  readonly resource: Resource<Sighting, TagScope>;
  readonly model: SightingModel;
  /** The writer of this tenant. */
  readonly writer: (cid: string) => string;
  /** The record as written. */
  readonly written: (record: Sighting) => Sighting;
  /** Whether a tenant has records of its own. */
  readonly own: boolean;
  /** Whether `held` and `held_tags` are used. */
  readonly held: boolean;
  owners(
    scope: ModelScope,
    parentOf: (cid: string) => readonly ModelOwner[],
  ): readonly ModelOwner[];
}

type Described = Omit<Side, "model" | "owners"> & {
  readonly seen: (scope: ModelScope) => readonly ModelOwner[];
  readonly inherits?: boolean;
};

const plain = {
  writer: (cid: string) => cid,
  written: (record: Sighting) => record,
  own: true,
  held: false,
};
const byPlatform = { ...plain, writer: () => platformCid, own: false };

const described: readonly Described[] = [
  {
    ...plain,
    resource: sightings,
    seen: ({ cid }) => [{ cid, ancestor: null }],
    inherits: true,
  },
  {
    ...byPlatform,
    resource: sharedSightings,
    seen: ({ cid }) => [
      {
        cid: platformCid,
        ancestor: null,
        sees: ({ known_to = [] }) => known_to.includes(cid),
      },
    ],
  },
  {
    ...byPlatform,
    resource: platformSightings,
    seen: () => [{ cid: platformCid, ancestor: null }],
  },
  {
    ...plain,
    resource: catalogueSightings,
    seen: ({ cid }) => [
      { cid: platformCid, ancestor: null, replacedBy: cid },
      { cid, ancestor: null },
    ],
  },
  {
    ...plain,
    resource: taggedSightings,
    held: true,
    // The kind is an element of the tags, as `held_tags` asks.
    written: (record) => {
      const { kind, tags } = record;
      return kind == null ? record : { ...record, tags: [...(tags ?? []), kind] };
    },
    seen: ({ cid, tags }) => [
      {
        cid,
        ancestor: null,
        sees: (record) => (record.tags ?? []).length === 0 || holdsOne(record, tags),
        withReader: (record) => ({
          ...record,
          held: holdsOne(record, tags),
          held_tags: (record.tags ?? []).filter((tag) => tags.includes(tag) || tag === record.kind),
        }),
        shown: (record) => ({ ...record, held: holdsOne(record, tags) }),
      },
    ],
  },
];

/** All kinds of visibility, initially without records. */
export const newSides = (): readonly Side[] =>
  described.map(({ seen, inherits = false, ...side }) => ({
    ...side,
    model: new SightingModel(side.resource),
    owners: (scope, parentOf) => {
      const { cid, records } = scope;
      const own = cid === platformCid ? [{ cid, ancestor: null }] : seen(scope);
      const above = inherits ? parentOf(cid) : [];
      return records === "own" ? own : records === "both" ? [...own, ...above] : above;
    },
  }));

export const sideResources: readonly Resource<Sighting, TagScope>[] = described.map(
  ({ resource }) => resource,
);
