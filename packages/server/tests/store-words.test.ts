import { evaluate, where, wordSequence, wordsOf, type Fields } from "@security-platform/fql";
import { runs } from "@security-platform/fql/arbitraries";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { openStoreAt } from "../src/host/open-store-at.ts";
import type { Resource } from "../src/store/types/types.ts";
import { runsOf } from "../src/store/words/word-runs.ts";
import { forEachEngine } from "./support/engines.ts";
import { ManualClock } from "./support/manual-clock.ts";

interface Note {
  readonly id: string;
  readonly text: string;
}

const fields: Fields = {
  id: { type: "string", sortable: true },
  text: { type: "string", case: "insensitive" },
};

const notes: Resource<Note> = {
  name: "notes",
  collection: "test",
  fields,
  id: "id",
  words: "text",
  indexes: [],
};

/** Texts that are difficult for tokenizers and query languages. */
const piece = fc.constantFrom(
  "alpha",
  "Beta",
  "BETA",
  "beta7",
  "ÉCOLE",
  "école",
  "ecole",
  "straße",
  "ΣΊΣΥΦΟΣ",
  "東京",
  "東京都",
  "🦊",
  "AND",
  "or",
  "NOT",
  "NEAR",
  "'",
  '"',
  "\\",
  ":*",
  "&",
  "|",
  "!",
  "(",
  "-",
  "_",
  "10.0.0.5",
  "a'b",
  "İstanbul",
  "𝒳",
  "२०२६",
  "w".repeat(70),
  "w".repeat(64),
);
/** Words that are parts of one another, so that parts of texts begin and end anywhere in words. */
const similar = fc.constantFrom("1", "10", "0", "01", "a", "ab", "b", "_", "a_b");
const text = fc
  .oneof(fc.array(piece, { maxLength: 8 }), fc.array(similar, { maxLength: 12 }))
  .map((pieces) => pieces.join(" "));

/** Place and length of a part of a text, as shares of the text and in words. */
const cut = fc.record({
  from: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.integer({ min: 1, max: 7 }),
});
type Cut = typeof cut extends fc.Arbitrary<infer Value> ? Value : never;

const wordsCut = (words: readonly string[], { from, length }: Cut): readonly string[] => {
  const start = Math.floor(from * words.length);
  return words.slice(start, start + length);
};

const partOf = (stored: string, { from, length }: Cut): string => {
  const start = Math.floor(from * stored.length);
  return stored.slice(start, start + length * 3);
};

const sort = [{ field: "id", direction: "asc" as const }];
const clock = new ManualClock();
const now = clock.now();
const tenant = { name: "t", parent_cid: null, created_at: now.toISOString() };
const [own, other] = ["a".repeat(32), "b".repeat(32)];

forEachEngine((engine) => {
  test("searches for words return the same as the model, during any writes", async () => {
    const store = await openStoreAt({
      url: await engine.emptyUrl(),
      clock,
      resources: [notes],
      durable: false,
    });
    try {
      for (const cid of [own, other]) {
        await store.directory.createTenant({ ...tenant, cid });
      }
      const step = fc.record({
        id: fc.constantFrom("1", "2", "3", "4"),
        text,
        kind: fc.constantFrom("put", "put", "put", "remove"),
      });
      const model = new Map<string, Note>();
      await store.write(other, (transaction) =>
        transaction.records(notes).put([{ id: "1", text: "alpha beta école 東京" }], now),
      );
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { maxLength: 4 }),
          text,
          cut,
          async (steps, query, place) => {
            await store.write(own, async (transaction) => {
              const records = transaction.records(notes);
              for (const { id, text: written, kind } of steps) {
                if (kind === "remove") await records.remove([id], now);
                else await records.put([{ id, text: written }], now);
                if (kind === "remove") model.delete(id);
                else model.set(id, { id, text: written });
              }
            });
            const predicate = where.words("text", wordsOf(query));
            const [some = { text: query }] = model.values();
            const part = where.text("text", partOf(some.text, place));
            const queried = where.text("text", query);
            const phrase = where.words("text", [], [wordsCut(wordSequence(some.text), place)]);
            const phrases = where.words("text", [], query.split(" ", 2).map(wordSequence));
            const questions = [predicate, part, queried, phrase, phrases];
            for (const asked of [...questions, ...questions.map(where.not)]) {
              const expected = [...model.values()]
                .filter((note) => evaluate(asked, { ...note }, fields))
                .map(({ id }) => id)
                .toSorted();
              const question = {
                predicate: asked,
                limit: 10,
                shape: "ids" as const,
                now,
                offset: 0,
              };
              const reader = store.records(notes, { cid: own });
              const [sorted, plain] = await Promise.all([
                reader.page({ ...question, sort }),
                reader.page({ ...question, sort: [] }),
              ]);
              expect(sorted.items).toEqual(expected);
              expect(plain.items.toSorted()).toEqual(expected);
              expect(sorted.total).toBe(expected.length);
            }
          },
        ),
        { numRuns: runs() },
      );
      clock.advance(86_400_000);
      await store.sweep(clock.now());
      await store.reindex("notes");
      for (const { id, text: written } of model.values()) {
        const predicate = where.words("text", wordsOf(written));
        if (predicate.kind === "nothing") continue;
        const page = await store
          .records(notes, { cid: own })
          .page({ predicate, sort: [], limit: 10, shape: "ids", now });
        expect(page.items).toContain(id);
      }
    } finally {
      await store.close();
    }
  });

  test("texts that are too long for exact runs are compared", async () => {
    const store = await openStoreAt({
      url: await engine.emptyUrl(),
      clock,
      resources: [notes],
      durable: false,
    });
    try {
      await store.directory.createTenant({ ...tenant, cid: own });
      const longWords = Array.from({ length: 20_000 }, (_, at) =>
        ((at * 7_919) % 20_011).toString(36),
      );
      const long = longWords.join(" ");
      expect(runsOf(longWords)).toBeNull();
      const middle = longWords.slice(7_000, 7_400);
      // The second one has the words of the first in another order.
      const written: readonly Note[] = [
        { id: "long", text: long },
        { id: "reversed", text: longWords.toReversed().join(" ") },
        { id: "short", text: middle.join("-") },
      ];
      await store.write(own, (transaction) => transaction.records(notes).put(written, now));
      await fc.assert(
        fc.asyncProperty(cut, fc.boolean(), async (place, inMiddle) => {
          const phrase = wordsCut(inMiddle ? middle : longWords, place);
          fc.pre(phrase.length > 0);
          for (const asked of [
            where.words("text", phrase),
            where.words("text", phrase, [phrase]),
            where.words("text", [], [phrase.toReversed()]),
            where.text("text", phrase.join("/")),
          ]) {
            const expected = written
              .filter((note) => evaluate(asked, { ...note }, fields))
              .map(({ id }) => id);
            const page = await store
              .records(notes, { cid: own })
              .page({ predicate: asked, sort, limit: 10, shape: "ids", now, offset: 0 });
            expect(page).toMatchObject({ items: expected, total: expected.length });
          }
        }),
        { numRuns: runs(5) },
      );
    } finally {
      await store.close();
    }
  });
});
