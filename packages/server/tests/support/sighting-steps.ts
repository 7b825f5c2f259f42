import * as fc from "fast-check";
import { platformCid } from "../../src/store/types/types.ts";
import { days, hours } from "./manual-clock.ts";
import { sideResources, type ModelScope } from "./sighting-sides.ts";
import type { Sighting } from "./sightings.ts";

export const parent = "a".repeat(32);
export const child = "b".repeat(32);
const stranger = "c".repeat(32);
export const start = "2026-03-01T12:00:00Z";

const filters = [
  "",
  "expired:true",
  "expired:false",
  "state:'open'",
  "state:'over',score:>2",
  "level:['low','high']+kind:!'x'",
  "kind:'x'",
  "kind:!*",
  "name:'NAME 3'",
  "name:*'name*'+tags:'red'",
  "name:~'NAME'+ports:443",
  "tags:['red','blue']",
  "tags:!'red'",
  "labels:'RED'",
  "labels:!'rEd'+labels:'blue'",
  "from_parent:true",
  "from_parent:false+score:<=2",
  "deleted:true",
  "deleted:true+kind:'x'",
  "seen_at:>='2026-03-01'",
  "(kind:'x',level:'high')+active:!true",
  "rank:>1",
  "deleted:true,rank:2+tags:'blue'",
  `known_to:'${child}'+kind:'x'`,
];
/** Only for reader-dependent fields. */
const heldFilters = ["held:true", "held:!true+kind:'x'", "held_tags:['red','y']", "held_tags:!*"];
const sorts = [
  "",
  "score|desc",
  "score|asc",
  "name|asc",
  "state|desc",
  "state|asc,score|desc",
  "level_number|desc,name|asc",
  "seen_at|asc",
  "expired|asc,kind|desc",
  "from_parent|desc,kind|asc",
  "rank|desc",
  "state|asc,rank|asc",
];

const heldSorts = ["held|desc,name|asc", "held|asc"];

const offsets = [-hours(30), -hours(1), 0, hours(2), days(20)];
const instants = offsets.map((offset) => new Date(Date.parse(start) + offset).toISOString());

export const identifiers: readonly string[] = Array.from({ length: 12 }, (_, at) => String(at + 1));
const identifier = fc.constantFrom(...identifiers);

const arbitrarySighting: fc.Arbitrary<Sighting> = fc
  .record(
    {
      id: identifier,
      kind: fc.constantFrom("x", "y", null),
      level: fc.constantFrom("low", "medium", "high"),
      score: fc.constantFrom(1, 2, 2.5, 3, null),
      active: fc.boolean(),
      seen_at: fc.constantFrom(...instants),
      tags: fc.subarray(["red", "blue", "Red"]),
      ports: fc.subarray([22, 443]),
      expires_at: fc.constantFrom(...instants),
      state: fc.constantFrom("open", "shut"),
      rank: fc.constantFrom(1, 2, 3, null),
      known_to: fc.subarray([parent, child]),
      // Of two records with the same name, a tenant sees only one.
      alias: fc.option(identifier, { nil: undefined, freq: 1 }),
    },
    { requiredKeys: ["id"] },
  )
  .map(({ id, alias = id, ...rest }) => ({
    id,
    name: `Name ${alias}`,
    expired: false,
    ...rest,
  }));

/** What a step asks about the records that a filter selects. */
const questions = [
  "pages",
  "offset",
  "count",
  "ids",
  "scan",
  "states",
  "tags",
  "distinct",
] as const;
/** Also those about reader-dependent fields. */
const heldQuestions = [...questions, "held", "heldTags"] as const;
export type QuestionName = (typeof heldQuestions)[number];

/** Writes or removes records in one transaction, advances time, or asks about one filter. */
export type Step =
  | {
      readonly kind: "put";
      readonly side: number;
      readonly cid: string;
      readonly records: readonly Sighting[];
    }
  | {
      readonly kind: "remove";
      readonly side: number;
      readonly cid: string;
      readonly ids: readonly string[];
    }
  | { readonly kind: "wait"; readonly milliseconds: number; readonly sweeps: boolean }
  | {
      readonly kind: "ask";
      readonly side: number;
      readonly scope: ModelScope;
      /** Whether the step runs in a transaction, if the reader can have one. */
      readonly inside: boolean;
      readonly filter: string;
      readonly heldFilter: string;
      readonly sort: string;
      readonly heldSort: string;
      readonly limit: number;
      /** One or two of all: a step that asks all takes several times as long. */
      readonly questions: readonly QuestionName[];
      readonly heldQuestions: readonly QuestionName[];
      /** Read alone. */
      readonly id: string;
    };

/** Often pages, because only some records, sorts and limits reach all parts of a page's conditions. */
const some = (names: readonly QuestionName[]): fc.Arbitrary<readonly QuestionName[]> =>
  fc.oneof(
    fc.constant(["pages" as const]),
    fc.subarray([...names], { minLength: 1, maxLength: 2 }),
  );

const arbitraryCid = fc.constantFrom(parent, child, platformCid);
const arbitrarySide = fc.nat({ max: sideResources.length - 1 });
export const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant("put" as const),
        side: arbitrarySide,
        cid: arbitraryCid,
        records: fc.uniqueArray(arbitrarySighting, {
          minLength: 1,
          maxLength: 4,
          selector: ({ id }) => id,
        }),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant("remove" as const),
        side: arbitrarySide,
        cid: arbitraryCid,
        ids: fc.uniqueArray(identifier, { minLength: 1, maxLength: 3 }),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant("wait" as const),
        milliseconds: fc.constantFrom(hours(1), days(12)),
        sweeps: fc.boolean(),
      }),
    },
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant("ask" as const),
        side: arbitrarySide,
        scope: fc.record({
          cid: fc.constantFrom(parent, child, stranger, platformCid),
          records: fc.constantFrom("own" as const, "inherited" as const, "both" as const),
          tags: fc.subarray(["red", "blue", "x"]),
        }),
        inside: fc.boolean(),
        filter: fc.constantFrom(...filters),
        heldFilter: fc.constantFrom(...filters, ...heldFilters),
        sort: fc.constantFrom(...sorts),
        heldSort: fc.constantFrom(...sorts, ...heldSorts),
        limit: fc.integer({ min: 1, max: 5 }),
        questions: some(questions),
        heldQuestions: some(heldQuestions),
        id: identifier,
      }),
    },
  ),
  { minLength: 25, maxLength: 45 },
);
