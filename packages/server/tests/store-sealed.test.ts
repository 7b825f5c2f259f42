import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { describe, expect, onTestFinished, test } from "vitest";
import { FixedKeys, type Keyring } from "../src/secrets/keyring.ts";
import { SecretKeyError } from "../src/secrets/secret-key.ts";
import { StoreError } from "../src/store/types/errors.ts";
import { openStoreAt } from "../src/host/open-store-at.ts";
import { platformCid, type Resource, type Store } from "../src/store/types/types.ts";
import { allOf } from "./support/all-of.ts";
import { forEachEngine } from "./support/engines.ts";
import { ManualClock } from "./support/manual-clock.ts";
import { programArguments } from "./support/programs.ts";
import { administer } from "./support/raw-sql.ts";
import { firstKey, secondKey, thirdKey } from "./support/secret-keys.ts";
import { child, filterOf, newStore, now, parent, queryOf } from "./support/store.ts";
import { sealedSightings, sighting, sightings, type Sighting } from "./support/sightings.ts";

const bothKeys = new FixedKeys([firstKey, secondKey]);
const secret = "correct horse battery staple";
const one = sighting("1", { note: secret, rank: 4 });

forEachEngine((engine) => {
  const again = async (
    databaseUrl: string,
    keys: Keyring = bothKeys,
    resource: Resource<Sighting> = sealedSightings,
  ): Promise<Store> => {
    const opened = await openStoreAt({
      url: databaseUrl,
      clock: new ManualClock(now.toISOString()),
      resources: [resource],
      keys,
      durable: false,
    });
    onTestFinished(() => opened.close());
    return opened;
  };
  const put = (store: Store, records: readonly Sighting[], cid = child) =>
    store.write(cid, (transaction) => transaction.records(sealedSightings).put(records, now));
  /** The hidden members of all versions as stored in the database. */
  const stored = async (databaseUrl: string): Promise<readonly string[]> =>
    (
      (await administer(databaseUrl, "select hidden from test_sightings order by row")) as {
        hidden: string;
      }[]
    ).map(({ hidden }) => hidden);
  const readAll = (store: Store, cid = child) =>
    allOf(store.records(sealedSightings, { cid }).scanComplete(filterOf(""), now));

  test("secrets are encrypted in the database, and complete records contain them", async () => {
    const { store, url: databaseUrl } = await newStore(engine, [sealedSightings]);
    const { note: _note, rank: _rank, ...served } = one;
    const two = sighting("2", { rank: 1 });
    const texts = await store.write(child, (transaction) =>
      transaction.records(sealedSightings).insert([one, two], now),
    );
    expect(texts[0]).toBe(JSON.stringify(served));
    const records = store.records(sealedSightings, { cid: child });
    expect((await records.get(["1"], now)).get("1")).toBe(JSON.stringify(served));
    expect((await records.getComplete(["1"], now)).get("1")).toEqual(one);
    expect(await readAll(store)).toEqual([one, two]);
    await store.write(child, async (transaction) => {
      const into = transaction.records(sealedSightings);
      expect((await into.getForUpdate(["1"])).get("1")).toEqual(one);
      expect(await into.findForUpdate(filterOf("rank:4"), now)).toEqual([one]);
      await into.replace([{ ...one, name: "renamed" }], now);
    });
    expect((await records.getComplete(["1"], now)).get("1")).toEqual({ ...one, name: "renamed" });
    const hidden = await stored(databaseUrl);
    expect(hidden).toHaveLength(3);
    expect(hidden.join()).not.toContain(secret.slice(0, 7));
    const notes = hidden.flatMap((text) => (JSON.parse(text) as { note?: string }).note ?? []);
    expect(notes).toHaveLength(2);
    // Each has its own nonce.
    expect(new Set(notes).size).toBe(2);
    expect(notes[0]).toMatch(new RegExp(`^sealed:1:${firstKey.id}:`));
  });

  test("a secret cannot be read as another record's, nor after a change", async () => {
    const { store, url: databaseUrl } = await newStore(engine, [sealedSightings]);
    await put(store, [one, sighting("2", { note: "other" })]);
    await put(store, [sighting("3")], parent);
    await administer(
      databaseUrl,
      `update test_sightings set hidden =
         (select hidden from test_sightings where id = '1') where id in ('2', '3'); select 1`,
    );
    const read = (id: string, cid = child) =>
      store.records(sealedSightings, { cid }).getComplete([id], now);
    await expect(read("2")).rejects.toThrow(
      "the secret note of test_sightings 2 was changed in the database, or belongs elsewhere",
    );
    await expect(read("3", parent)).rejects.toThrow(SecretKeyError);
    expect((await read("1")).get("1")).toEqual(one);
  });

  test("a missing or wrong key is rejected at the start, before anything is written", async () => {
    const { store, url: databaseUrl } = await newStore(engine, [sealedSightings]);
    await store.secrets.prepare();
    await put(store, [one]);
    const missing = await again(databaseUrl, new FixedKeys([secondKey]));
    await expect(missing.secrets.prepare()).rejects.toThrow(
      `secrets that the key ${firstKey.id} encrypts, and the list of keys does not have this key`,
    );
    await expect(put(missing, [one])).rejects.toThrow(SecretKeyError);
    await expect(readAll(missing)).rejects.toThrow(SecretKeyError);
    const wrong = await again(databaseUrl, new FixedKeys([{ ...secondKey, id: firstKey.id }]));
    await expect(wrong.secrets.prepare()).rejects.toThrow(SecretKeyError);
    await (await again(databaseUrl)).secrets.prepare();
  });

  test("stored values are encrypted when a member becomes secret", async () => {
    const { store, url: databaseUrl } = await newStore(engine, [
      { ...sightings, hidden: ["note"] },
    ]);
    await store.write(child, (transaction) =>
      transaction.records({ ...sightings, hidden: ["note"] }).insert([one], now),
    );
    expect((await stored(databaseUrl)).join()).toContain(secret);
    const opened = await again(databaseUrl);
    await opened.secrets.prepare();
    expect((await stored(databaseUrl)).join()).not.toContain(secret);
    expect(await readAll(opened)).toEqual([one]);
  });

  describe("a rotation", () => {
    test("encrypts every version with the new key, also those of other tenants", async () => {
      const { store, url: databaseUrl } = await newStore(engine, [sealedSightings]);
      const many = Array.from({ length: 25 }, (_, at) => sighting(String(at), { note: `n${at}` }));
      await put(store, many);
      await put(store, [one]);
      await put(store, [one], parent);
      const opened = await again(databaseUrl);
      const progress: number[] = [];
      const options = { batch: 7, onProgress: (count: number) => progress.push(count) };
      const { changed, before } = {
        before: await opened.secrets.keys(),
        changed: await opened.secrets.rotateTo(secondKey.id, options),
      };
      expect(before).toEqual([{ id: firstKey.id, current: true, secrets: 27 }]);
      expect(changed).toBe(27);
      expect(progress.at(-1)).toBe(27);
      expect(progress.length).toBeGreaterThan(3);
      expect(await opened.secrets.keys()).toEqual([
        { id: secondKey.id, current: true, secrets: 27 },
      ]);
      expect((await stored(databaseUrl)).join()).not.toContain(firstKey.id);
      // The old key is no longer needed.
      const later = await again(databaseUrl, new FixedKeys([secondKey]));
      await later.secrets.prepare();
      expect(new Set(await readAll(later))).toEqual(
        new Set([...many.slice(0, 1), one, ...many.slice(2)]),
      );
      expect(await later.secrets.rotateTo(secondKey.id)).toBe(0);
    });

    test("changes no record, no page and no write number of a resource", async () => {
      const { store, url: databaseUrl } = await newStore(engine, [sealedSightings]);
      await put(store, [one, sighting("2"), sighting("3")]);
      const opened = await again(databaseUrl);
      const records = opened.records(sealedSightings, { cid: child });
      const revision = await records.revision();
      const page = await records.page(queryOf("", { limit: 1 }));
      await opened.secrets.rotateTo(secondKey.id);
      expect(await records.revision()).toBe(revision);
      const rest = await records.page(
        queryOf("", page.next === undefined ? {} : { after: page.next }),
      );
      expect(rest.items).toEqual(["2", "3"]);
    });

    test("does not interrupt running servers, which write with the new key at once", async () => {
      const { store, url: databaseUrl } = await newStore(engine, [sealedSightings]);
      await store.close();
      const [server, command] = [await again(databaseUrl), await again(databaseUrl)];
      await put(server, [one]);
      let written = 0;
      const state = { rotating: true };
      const writing = (async () => {
        while (state.rotating || written < 20) {
          written += 1;
          await put(server, [sighting(`w${written}`, { note: `note ${written}` })]);
        }
      })();
      await command.secrets.rotateTo(secondKey.id, { batch: 1 });
      state.rotating = false;
      await writing;
      const [key, ...others] = await command.secrets.keys();
      expect(others).toEqual([]);
      expect(key).toEqual({ id: secondKey.id, current: true, secrets: written + 1 });
      expect(await readAll(server)).toHaveLength(written + 1);
    });

    test("to another key, by another process, is aborted without harm", async () => {
      const { store, url: databaseUrl } = await newStore(engine, [sealedSightings]);
      await put(store, [one, sighting("2", { note: "b" }), sighting("3", { note: "c" })]);
      const keys = new FixedKeys([firstKey, secondKey, thirdKey]);
      const [left, right] = [await again(databaseUrl, keys), await again(databaseUrl, keys)];
      const outcomes = await Promise.allSettled([
        left.secrets.rotateTo(secondKey.id, { batch: 1 }),
        right.secrets.rotateTo(thirdKey.id, { batch: 1 }),
      ]);
      const refusals = outcomes.flatMap((each) => (each.status === "rejected" ? each.reason : []));
      for (const refusal of refusals) {
        expect(refusal).toBeInstanceOf(StoreError);
        expect((refusal as StoreError).message).toContain("another process");
      }
      await left.secrets.rotateTo(thirdKey.id);
      expect(await left.secrets.keys()).toEqual([{ id: thirdKey.id, current: true, secrets: 3 }]);
      expect(await readAll(left)).toHaveLength(3);
    });

    test(
      "survives kill -9 at any point, and is completed by the next",
      { tags: ["exhaustive"] },
      async () => {
        const { store, url: databaseUrl } = await newStore(engine, [sealedSightings]);
        const many = Array.from({ length: 60 }, (_, at) =>
          sighting(String(at), { note: `n${at}` }),
        );
        await put(store, many);
        await store.close();
        const words = await programArguments("rotate-until-killed", databaseUrl, "40");
        const rotating = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
        const ended = once(rotating, "close");
        for await (const line of createInterface(rotating.stdout)) {
          if (Number(line) >= 20) rotating.kill("SIGKILL");
        }
        await ended;
        const opened = await again(databaseUrl);
        await opened.secrets.prepare();
        expect(await readAll(opened)).toEqual(many);
        const between = await opened.secrets.keys();
        expect(between.map(({ id, current }) => [id, current])).toEqual([
          [firstKey.id, false],
          [secondKey.id, true],
        ]);
        const left = between[0]?.secrets ?? 0;
        expect(left).toBeGreaterThanOrEqual(20);
        expect(left).toBeLessThanOrEqual(40);
        expect(await opened.secrets.rotateTo(secondKey.id)).toBe(left);
        expect(await readAll(await again(databaseUrl, new FixedKeys([secondKey])))).toEqual(many);
      },
    );
  });

  test("records of the platform are encrypted for the platform", async () => {
    const { store, url: databaseUrl } = await newStore(engine, [sealedSightings]);
    await put(store, [one], platformCid);
    expect(await readAll(store, platformCid)).toEqual([one]);
    const opened = await again(databaseUrl);
    expect(await opened.secrets.rotateTo(secondKey.id)).toBe(1);
  });
});

test("a member that is not hidden cannot be sealed", async () => {
  const open = (resource: Resource<Sighting>) =>
    openStoreAt({ url: "sqlite::memory:", clock: new ManualClock(), resources: [resource] });
  await expect(open({ ...sightings, sealed: ["note"] })).rejects.toThrow("cannot be sealed");
  await expect(open({ ...sightings, hidden: ["rank"], sealed: ["rank"] })).rejects.toThrow(
    "cannot be sealed",
  );
});
