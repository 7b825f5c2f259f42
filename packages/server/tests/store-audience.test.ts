import { expect, test } from "vitest";
import { DuplicateRecordError, StoreError } from "../src/store/types/errors.ts";
import {
  platformCid,
  type Resource,
  type Visibility,
  type WritableRecords,
} from "../src/store/types/types.ts";
import { allOf } from "./support/all-of.ts";
import { forEachEngine } from "./support/engines.ts";
import { hours } from "./support/manual-clock.ts";
import { administer } from "./support/raw-sql.ts";
import {
  child,
  everyPage,
  filterOf,
  later,
  newStore,
  now,
  parent,
  queryOf,
  stranger,
} from "./support/store.ts";
import { sharedSightings, sighting, sightings, type Sighting } from "./support/sightings.ts";

/** Known to the parent alone, to parent and child, to nobody, to the stranger. */
const shared: readonly Sighting[] = [
  sighting("1", { known_to: [parent], tags: ["t"], kind: "x", score: 1 }),
  sighting("2", { known_to: [child, parent], tags: ["t", "u"], kind: "y", score: 2 }),
  sighting("3", { known_to: [], tags: ["v"], kind: "z", score: 3 }),
  sighting("4", { known_to: [stranger], tags: ["w"], kind: "x", score: 4 }),
];
const idsKnownTo = (cid: string) =>
  shared.flatMap(({ id, known_to }) =>
    cid === platformCid || known_to?.includes(cid) ? [id] : [],
  );

forEachEngine((engine) => {
  const filled = async () => {
    const { store, ...rest } = await newStore(engine, [sightings, sharedSightings]);
    const write = <Result>(work: (into: WritableRecords<Sighting>) => Promise<Result>) =>
      store.write(platformCid, (transaction) => work(transaction.records(sharedSightings)));
    await write((into) => into.insert(shared, now));
    const of = (cid: string) => store.records(sharedSightings, { cid });
    return { store, ...rest, write, of };
  };

  test.each([
    ["the parent", parent],
    ["the child", child],
    ["a stranger", stranger],
    ["the platform", platformCid],
    ["an unknown tenant", "9".repeat(32)],
  ])("every kind of read shows %s only the records whose audience includes it", async (_, cid) => {
    const { of } = await filled();
    const all = shared.map(({ id }) => id);
    const records = of(cid);
    const ids = idsKnownTo(cid);
    const visible = shared.filter(({ id }) => ids.includes(id));
    const everything = filterOf("");
    expect([...(await records.get(all, now)).keys()].toSorted()).toEqual(ids);
    expect([...(await records.getComplete(all, now)).values()]).toEqual(visible);
    for (const id of all) {
      expect((await records.get([id], now)).has(id)).toBe(ids.includes(id));
      expect((await records.getComplete([id], now)).has(id)).toBe(ids.includes(id));
    }
    expect(await records.page(queryOf("", { offset: 0 }))).toEqual({
      items: ids,
      total: ids.length,
    });
    const byScore = await records.page(queryOf("", { sort: "score|desc", offset: 0 }));
    expect(byScore).toEqual({ items: ids.toReversed(), total: ids.length });
    expect(await everyPage(records, queryOf("", { sort: "kind|asc", limit: 1 }))).toHaveLength(
      ids.length,
    );
    const others = await records.page(queryOf("tags:!'none',id:*", { offset: 0 }));
    expect(others.total).toBe(ids.length);
    expect(await records.count(everything, now)).toBe(ids.length);
    expect(await allOf(records.scanComplete(everything, now))).toEqual(visible);
    expect(await allOf(records.scan(everything, now))).toHaveLength(ids.length);
    const tags = [...new Set(visible.flatMap((each) => each.tags ?? []))].toSorted();
    const kinds = [...new Set(visible.flatMap(({ kind }) => kind ?? []))].toSorted();
    expect(await records.distinct("tags", everything, { now, limit: 9 })).toEqual(tags);
    expect(await records.distinct("kind", everything, { now, limit: 9 })).toEqual(kinds);
    expect(await records.countDistinct("kind", everything, { now, ceiling: 9 })).toBe(kinds.length);
    const { facets } = records;
    const groups = await facets.groups("tags", everything, {
      now,
      limit: 9,
      order: "value",
      direction: "asc",
    });
    expect(groups.facets.map(({ value }) => value)).toEqual(tags);
    expect(await facets.cardinality("kind", everything, now)).toBe(kinds.length);
    expect((await facets.statistics("score", everything, now)).count).toBe(ids.length);
    const ranks = { now, ranks: [0, 1, 2, 3] };
    expect(await facets.valuesAtRanks("score", everything, ranks)).toEqual(
      visible.map(({ score }) => score),
    );
  });

  test("a total cached for one tenant is not used for another, and follows the audience", async () => {
    const { of, write } = await filled();
    const total = async (cid: string) =>
      (await of(cid).page(queryOf("kind:'x'", { offset: 0 }))).total;
    expect([
      await total(parent),
      await total(stranger),
      await total(child),
      await total(platformCid),
    ]).toEqual([1, 1, 0, 2]);
    await write((into) => into.replace([sighting("1", { known_to: [child], kind: "x" })], now));
    expect([
      await total(parent),
      await total(stranger),
      await total(child),
      await total(platformCid),
    ]).toEqual([0, 1, 1, 2]);
    expect(await of(parent).get(["1"], now)).toEqual(new Map());
    await write((into) => into.remove(["1"], now));
    expect(await total(child)).toBe(0);
    expect((await of(parent).page(queryOf("deleted:true", { offset: 0 }))).total).toBe(0);
    expect((await of(child).page(queryOf("deleted:true", { offset: 0 }))).total).toBe(1);
  });

  test("a scan does not change with the audience, and scans of two tenants are independent", async () => {
    const { of, write } = await filled();
    const first = await of(parent).page(queryOf("", { limit: 1 }));
    expect(first.items).toEqual(["1"]);
    await write((into) => into.replace([sighting("2", { known_to: [stranger] })], now));
    const { next } = first;
    if (next === undefined) throw new Error("there is a second page");
    expect((await of(parent).page(queryOf("", { after: next }))).items).toEqual(["2"]);
    expect((await of(stranger).page(queryOf("", { after: next }))).items).toEqual(["4"]);
    expect((await of(parent).page(queryOf(""))).items).toEqual(["1"]);
    expect((await of(stranger).page(queryOf(""))).items).toEqual(["2", "4"]);
  });

  test("only the platform writes them, and its transactions see all of them", async () => {
    const { store, write } = await filled();
    for (const change of [
      (into: WritableRecords<Sighting>) => into.insert([sighting("5")], now),
      (into: WritableRecords<Sighting>) => into.replace([sighting("2")], now),
      (into: WritableRecords<Sighting>) => into.put([sighting("2")], now),
    ]) {
      const byTenant = store.write(child, async (transaction) => {
        const records = transaction.records(sharedSightings);
        expect([...(await records.getForUpdate(["1", "2", "3", "4"])).keys()]).toEqual(["2"]);
        await change(records);
      });
      await expect(byTenant).rejects.toThrow("its records are the platform's");
    }
    await write(async (into) => {
      expect((await into.getForUpdate(["1", "4"])).size).toBe(2);
      expect((await into.page(queryOf("", { offset: 0 }))).total).toBe(4);
      const duplicate = into.insert([sighting("5", { name: "NAME 4" })], now);
      await expect(duplicate).rejects.toThrow(DuplicateRecordError);
    });
    const wrong = write((into) => into.insert([sighting("6", { known_to: ["everyone"] })], now));
    await expect(wrong).rejects.toThrow(/known_to has everyone/);
    expect(await store.records(sightings, { cid: parent }).count(filterOf(""), now)).toBe(0);
  });

  test("superseded versions of the platform's records are swept", async () => {
    const { store, clock, write, url, of } = await filled();
    await write((into) => into.replace([{ ...(shared[0] ?? sighting("1")), score: 9 }], now));
    clock.advance(hours(2));
    await store.sweep(clock.now());
    const rows = await administer(url, "select id from test_shared_sightings");
    expect(rows).toHaveLength(shared.length);
    expect(await of(parent).count(filterOf("score:9"), later(hours(2)))).toBe(1);
  });

  test("an inconsistent visibility is rejected", async () => {
    const refusal = async (visibility: Visibility<Sighting>, rest: Partial<Resource> = {}) => {
      const resource = { ...sharedSightings, ...rest, visibility } as Resource<Sighting>;
      const error = await newStore(engine, [resource]).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(StoreError);
      return (error as StoreError).message;
    };
    for (const audience of ["kind", "ports", "nothing"]) {
      expect(await refusal({ sources: ["platform"], audience })).toContain(
        `${audience} is not an array of texts`,
      );
    }
    expect(await refusal({ sources: ["own", "ancestor"], audience: "known_to" })).toContain(
      "stored by the platform alone",
    );
    expect(await refusal({ sources: ["platform", "ancestor"] })).toContain("cannot be combined");
    expect(await refusal({ sources: ["ancestor"] })).toContain("needs own or platform records");
    expect(await refusal({ sources: ["own", "platform"] })).toContain("a deleted record");
    expect(await refusal({ inheritedField: "kind" })).toContain("kind is not a boolean field");
  });
});
