import { evaluate, where, wordSequence, wordsOf, type Fields } from "@security-platform/fql";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { openStore } from "../src/store/index.ts";
import type { Resource } from "../src/store/types.ts";
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
const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(" "));

const clock = new ManualClock();
const now = clock.now();
const tenant = { name: "t", parent_cid: null, created_at: now.toISOString() };
const [own, other] = ["a".repeat(32), "b".repeat(32)];

forEachEngine((engine) => {
  test("searches for words return the same as the model, during any writes", async () => {
    const store = await openStore({
      url: await engine.emptyUrl(),
      clock,
      resources: [notes],
      durable: false,
    });
    try {
      for (const cid of [own, other]) {
        // oxlint-disable-next-line no-await-in-loop -- two
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
        fc.asyncProperty(fc.array(step, { maxLength: 4 }), text, async (steps, query) => {
          await store.write(own, async (transaction) => {
            const records = transaction.records(notes);
            for (const { id, text: written, kind } of steps) {
              // oxlint-disable-next-line no-await-in-loop -- one after the other
              if (kind === "remove") await records.remove([id], now);
              // oxlint-disable-next-line no-await-in-loop -- see above
              else await records.put([{ id, text: written }], now);
              if (kind === "remove") model.delete(id);
              else model.set(id, { id, text: written });
            }
          });
          const predicate = where.words("text", wordsOf(query));
          // A part of a stored text that starts in the middle of a word.
          const [some = { text: query }] = model.values();
          const part = where.text("text", some.text.slice(some.text.length / 3));
          const queried = where.text("text", query);
          const sequence = wordSequence(some.text);
          const phrase = where.words("text", [], [sequence.slice(sequence.length / 3)]);
          const phrases = where.words("text", [], query.split(" ", 2).map(wordSequence));
          const questions = [predicate, part, queried, phrase, phrases];
          for (const asked of [...questions, ...questions.map(where.not)]) {
            const expected = [...model.values()]
              .filter((note) => evaluate(asked, { ...note }, fields))
              .map(({ id }) => id)
              .toSorted();
            const sort = [{ field: "id", direction: "asc" as const }];
            const question = { predicate: asked, limit: 10, shape: "ids" as const, now, offset: 0 };
            const reader = store.records(notes, { cid: own });
            // oxlint-disable-next-line no-await-in-loop -- two questions
            const [sorted, plain] = await Promise.all([
              reader.page({ ...question, sort }),
              reader.page({ ...question, sort: [] }),
            ]);
            expect(sorted.items).toEqual(expected);
            expect(plain.items.toSorted()).toEqual(expected);
            expect(sorted.total).toBe(expected.length);
          }
        }),
      );
      clock.advance(86_400_000);
      await store.sweep(clock.now());
      await store.reindex("notes");
      for (const { id, text: written } of model.values()) {
        const predicate = where.words("text", wordsOf(written));
        if (predicate.kind === "nothing") continue;
        // oxlint-disable-next-line no-await-in-loop -- a handful
        const found = await store
          .records(notes, { cid: own })
          .page({ predicate, sort: [], limit: 10, shape: "ids", now });
        expect(found.items).toContain(id);
      }
    } finally {
      await store.close();
    }
  });
});
