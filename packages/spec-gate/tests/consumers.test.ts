import { expect, test } from "vitest";
import type { Finding } from "../src/change.ts";
import { checkConsumers } from "../src/consumers/check-consumers.ts";
import { compareDocuments } from "../src/compare/compare-documents.ts";
import type { JsonObject } from "../src/json.ts";
import { documentOf } from "../src/read/load-document.ts";
import { documentWith, jsonBody, testDay } from "../src/testing/documents.ts";

const text = { type: "string" };
const thing = (properties: JsonObject, required: readonly string[] = []) => ({
  type: "object",
  properties,
  required,
});

const api = (parts: {
  readonly id?: string;
  readonly sent?: JsonObject;
  readonly read?: JsonObject;
  readonly gone?: boolean;
}) =>
  documentWith({
    paths: {
      [`/things/{${parts.id ?? "id"}}`]: {
        parameters: [{ name: parts.id ?? "id", in: "path", required: true, schema: text }],
        post: {
          requestBody: {
            required: true,
            ...jsonBody(parts.sent ?? thing({ name: text, size: text })),
          },
          responses: {
            200: {
              description: "Fine.",
              ...jsonBody(
                parts.read ??
                  thing({ name: text, tags: { type: "array", items: thing({ key: text }) } }),
              ),
            },
          },
        },
        ...(parts.gone === true ? {} : { get: { responses: { 204: { description: "Fine." } } } }),
      },
    },
  });

const base = documentOf(api({}), "base.json");

async function consumed(parts: Parameters<typeof api>[0], without?: string) {
  const revision = documentOf(api(parts), "revision.json");
  const { changes } = compareDocuments(base, revision, { today: testDay });
  const otherChanges: readonly Finding[] = changes.filter(({ rule }) => rule !== without);
  return checkConsumers(base, revision, otherChanges);
}

test("a client compiles if nothing changed for it", async () => {
  const { changes, notes } = await consumed({
    sent: thing({ name: text, size: text, more: text }),
  });
  expect(changes).toEqual([]);
  expect(notes).toEqual([expect.stringMatching(/uses \d+ places of it; 0 do not compile/)]);
});

test("breaking changes explain errors, and unexplained errors are changes themselves", async () => {
  const parts = {
    gone: true,
    sent: thing({ name: { type: "string", maxLength: 5 } }),
    read: thing({ name: text, tags: { type: "array", items: thing({ other: text }) } }),
  };
  const explained = await consumed(parts);
  expect(explained.changes).toEqual([]);
  expect(explained.notes[0]).not.toContain("; 0 do not");
  const missed = await consumed(parts, "property-removed");
  expect(missed.changes.map(({ rule, verdict }) => `${rule} ${verdict}`)).toContain(
    "consumer-does-not-compile major",
  );
  const [message] = missed.changes
    .map((change) => change.message)
    .filter((each) => each.includes("key "));
  expect(message).toContain("a client that reads the member key no longer compiles");
});

test("changes that types do not show are listed, with reason and place", async () => {
  const { changes, notes } = await consumed({
    sent: thing({ name: { type: "string", maxLength: 5 }, size: text }),
  });
  expect(changes).toEqual([]);
  expect(notes[1]).toContain("although the client compiles: max-length-added (1). Why: types have");
  expect(notes[1]).toMatch(/Where: POST \/things\/\{id\} #\/\S+name$/);
});

test("a renamed path parameter breaks compiled clients", async () => {
  const { changes } = await consumed({ id: "thing_id" });
  expect(new Set(changes.map(({ rule }) => rule))).toEqual(new Set(["consumer-does-not-compile"]));
  expect(changes.map(({ place }) => place.split(" #")[0])).toContain("POST /things/{thing_id}");
});

test("methods without generated types are left out", async () => {
  const withMethods = (name: string) =>
    documentOf(
      documentWith(
        {
          paths: {
            "/things": {
              get: {
                responses: { 200: { description: "Fine.", ...jsonBody(thing({ a: text })) } },
              },
              query: {
                responses: { 200: { description: "Fine.", ...jsonBody(thing({ a: text })) } },
              },
              additionalOperations: { COPY: { responses: { 204: { description: name } } } },
            },
          },
        },
        "3.2.0",
      ),
      `${name}.json`,
    );
  const { changes, notes } = await checkConsumers(withMethods("a"), withMethods("b"), []);
  expect(changes).toEqual([]);
  expect(notes).toEqual([expect.stringMatching(/uses [1-9]\d* places of it; 0 do not compile/)]);
});
