/**
 * @module-tag exhaustive
 * @module-tag nightly
 */
import { evaluate, parseSort, type FilterRecord } from "@security-platform/fql";
import { expect, test } from "vitest";
import { forEachEngine } from "./support/engines.ts";
import { everyPage, newStore, now, parent, queryOf } from "./support/store.ts";
import { sightingFields, sightings, type Sighting } from "./support/sightings.ts";

const command = (end: string): string => `powershell -enc ${"Ab9".repeat(2_700)}${end}`;

/** Records that large filters distinguish. */
const records: readonly Sighting[] = Array.from({ length: 40 }, (_, at) => ({
  id: `id${at}`,
  name: `Name ${at}`,
  kind: `kind${at % 7}`,
  score: at,
  active: at % 3 === 0,
  seen_at: at % 11 === 0 ? null : `2026-03-01T10:${String(at).padStart(2, "0")}:00Z`,
  address: `10.0.${at % 5}.${at}`,
  tags: [
    ...Array.from({ length: at }, (_none, tag) => `tag${tag}`),
    ...(at % 4 === 1 ? [`quoted","tag${at}`, `tag${at}\\`] : []),
    ...(at % 4 === 0 ? [command(`-${at}`), `Ü${"ß".repeat(900)}${at}`] : []),
  ],
  ports: Array.from({ length: at % 10 }, (_none, port) => port + 1),
}));

const many = (count: number, condition: (at: number) => string, joint: string): string =>
  Array.from({ length: count }, (_, at) => condition(at)).join(joint);

const two = (number: number): string => String(number % 60).padStart(2, "0");

const filters: Readonly<Record<string, string>> = {
  "one of many ids": many(200, (at) => `id:'id${at * 2}'`, ","),
  "none of many ids": many(200, (at) => `id:!'id${at * 2}'`, "+"),
  "one of many elements": many(200, (at) => `tags:'tag${at + 30}'`, ","),
  "each of many elements": many(200, (at) => `tags:'tag${at % 25}'`, "+"),
  "none of many elements": many(200, (at) => `tags:!'tag${at + 20}'`, "+"),
  "not each of many elements": many(200, (at) => `tags:!'tag${at % 30}'`, ","),
  "one of many patterns of elements": many(200, (at) => `tags:*'*g3${at}*'`, ","),
  "each of many patterns of elements": many(200, (at) => `tags:*'*ag${at % 20}*'`, "+"),
  "many numbers of an array": many(200, (at) => `ports:${at + 5}`, ","),
  "each of many numbers": many(200, (at) => `ports:${(at % 6) + 1}`, "+"),
  "many patterns of a scalar": many(200, (at) => `name:*'*e ${at}*'`, ","),
  "many numbers of a scalar": many(200, (at) => `score:${at}`, ","),
  "many comparisons": many(200, (at) => `score:!${at + 10}`, "+"),
  "many comparisons of order": many(200, (at) => `score:>${at % 15}`, "+"),
  "one value many times": many(200, () => "kind:'kind3'", "+"),
  "many values at once": many(200, (at) => `kind:'kind${at}'`, "+"),
  "not many values at once": many(200, (at) => `kind:!'kind${at}'`, ","),
  "one value in any case many times": many(200, (at) => `name:'${at % 2 ? "N" : "n"}ame 7'`, "+"),
  "each of many patterns of a scalar": many(200, (at) => `name:*'*${"Name"[at % 4]}*'`, "+"),
  "groups of one value": many(14, () => `(${many(7, () => "score:>5+kind:'kind3'", "+")})`, "+"),
  "many lists": many(200, (at) => `kind:['kind${at % 3}','kind${at}']`, ","),
  "groups of many fields": many(
    33,
    (at) => `(id:'id${at}'+tags:'tag${at % 5}'+score:<30+kind:!'kind3',active:true+ports:2)`,
    ",",
  ),
  "pairs of elements": many(100, (at) => `(tags:'tag${at % 40}'+ports:${at % 12})`, ","),
  "pairs of texts of one array": many(
    100,
    (at) => `(tags:'tag${at % 35}'+tags:'tag${at + 3}')`,
    ",",
  ),
  "no pair of texts": many(100, (at) => `(tags:!'tag${at + 20}',tags:!'tag${at + 9}')`, "+"),
  "each of many groups": many(
    66,
    (at) => `(tags:'tag${at % 9}',ports:${at % 3},tags:!'tag${at % 50}')`,
    "+",
  ),
  "nested groups": `${"(".repeat(30)}id:'id1'${many(30, (at) => `,id:'id${at + 2}')`, "")}`,
  "one of many instants": many(200, (at) => `seen_at:'2026-03-01T10:${two(at * 3)}:00Z'`, ","),
  "none of many minutes": many(200, (at) => `seen_at:!'2026-03-01T10:${two(at * 2)}'`, "+"),
  "one of many networks": many(100, (at) => `address:'10.0.${at + 2}.0/28'`, ","),
  "one of many ranges of numbers": many(
    100,
    (at) => `(score:>${at * 4}+score:<=${at * 4 + 2})`,
    ",",
  ),
  "one of many starts": many(200, (at) => `name:*'name ${at + 3}*'`, ","),
  "one of many starts of elements": many(200, (at) => `tags:*'tag3${at}*'`, ","),
  "none of many starts": many(200, (at) => `kind:!*'kind${at + 2}*'`, "+"),
  "none of many patterns": many(200, (at) => `name:!*'*e*${at * 2}'`, "+"),
  "none of many words": many(200, (at) => `name:!~'E-${at * 2}'`, "+"),
  "one of many words of elements": many(200, (at) => `tags:~'G-${at + 30}'`, ","),
  "not one of many patterns of elements": many(200, (at) => `tags:!*'*g${at}'`, ","),
  "ranges of elements": many(200, (at) => `tags:>'tag${at}'`, ","),
  "each of many ranges of elements": many(
    100,
    (at) => `ports:>${at % 7}+ports:<${9 - (at % 3)}`,
    "+",
  ),
  "pairs of lists": many(100, (at) => `(tags:['tag${at}','x']+tags:['tag${at + 9}','y'])`, ","),
  "pairs of patterns": many(100, (at) => `(tags:*'*g${at}'+name:*'*e*${at}')`, ","),
  "groups that all hold": many(
    50,
    (at) => `(ports:2,active:false,tags:!'x${at}'+labels:!'TAG${at + 60}')`,
    "+",
  ),
  "groups with a value and a range": many(100, (at) => `(kind:'kind${at % 9}'+score:>${at})`, ","),
  "groups with a flag": many(
    50,
    (at) => `(active:true+score:${at},active:!true+score:${at * 3})`,
    ",",
  ),
  "groups that depend on the time": many(100, (at) => `(expired:false+score:>${at + 20})`, ","),
  "deleted or one of many": `deleted:true,${many(90, (at) => `(kind:'kind2'+score:>${at + 30})`, ",")}`,
  "an absent value among many": `${many(20, (at) => `kind:!'kind${at}'`, "+")}+score:>5`,
};

/** Texts longer than the maximum of a PostgreSQL index. */
const longFilters: Readonly<Record<string, string>> = {
  "a long element": `tags:'${command("-8")}'`,
  "a list with long elements": `tags:['${command("-8")}','tag35']`,
  "not a long element": `tags:!'${command("-8")}'`,
  "the start of long elements": `tags:*'powershell -enc Ab9*'`,
  "a long start of long elements": `tags:*'${command("-1")}*'`,
  "a pattern at the end of long elements": "tags:*'*Ab9-12'",
  "part of long elements": "tags:*'power*Ab9-*8'",
  "words of long elements": "tags:~'powershell enc'",
  "a long element of two bytes a character": `tags:'Ü${"ß".repeat(900)}16'`,
  "pairs of long texts": many(
    8,
    (at) => `(tags:'Ü${"ß".repeat(900)}${at * 4}'+tags:'tag${at}')`,
    ",",
  ),
  "many long elements": many(8, (at) => `tags:*'*Ab9-${at * 4}'`, ","),
};

forEachEngine((engine) => {
  test("filters of up to 200 conditions return the same as in memory", async () => {
    const { store } = await newStore(engine);
    await store.write(parent, (transaction) => transaction.records(sightings).insert(records, now));
    const reader = store.records(sightings, { cid: parent, records: "own" });
    for (const [name, filter] of Object.entries({ ...filters, ...longFilters })) {
      const query = queryOf(filter);
      const { predicate } = query;
      const expected = records
        .filter((record) => evaluate(predicate, record as unknown as FilterRecord, sightingFields))
        .map(({ id }) => id)
        .toSorted();
      for (const sort of ["", "name.desc"]) {
        const sorted = { ...query, sort: parseSort(sort, sightingFields) };
        const ids = await everyPage(reader, { ...sorted, limit: 15 });
        expect(ids.toSorted(), name).toEqual(expected);
      }
      const { total } = await reader.page({ ...query, offset: 0, limit: 1 });
      expect(total, name).toBe(expected.length);
    }
    // Each filter has matches, so that an empty result cannot hide a bug.
    expect(Object.keys(filters).length).toBeGreaterThan(15);
  });
});
