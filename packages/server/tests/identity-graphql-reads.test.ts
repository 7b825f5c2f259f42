import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTenant } from "../src/catalogue/index.ts";
import { defaultLimits } from "../src/foundation/config.ts";
import { LocalLimits } from "../src/limits/limits.ts";
import { runQuery } from "../src/domain/identity-protection/graph/run-query.ts";
import { resources } from "../src/platform/resources.ts";
import { openStoreAt } from "../src/host/open-store-at.ts";
import type { Records, Store, Tenant } from "../src/store/types/types.ts";
import { forEachEngine, type Engine } from "./support/engines.ts";
import { endpoint, have, user, uuid } from "./support/identities.ts";
import { ManualClock } from "./support/manual-clock.ts";

/** The store, which records its reads. With a failure, it only throws that. */
function noting(store: Store, reads: string[], failure: { error?: Error }): Store {
  const records: Store["records"] = (resource, sight) => {
    const original: Records<never> = store.records(resource, sight) as never;
    return new Proxy(original, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== "function") return member;
        return (...given: readonly unknown[]) => {
          reads.push(`${resource.name}.${String(name)}`);
          if (failure.error !== undefined) throw failure.error;
          return Reflect.apply(member, target, given) as unknown;
        };
      },
    }) as never;
  };
  return new Proxy(store, {
    get: (target, name) =>
      name === "records" ? records : (Reflect.get(target, name, target) as unknown),
  });
}

const people = 1_000;

/**
 * Each of many users has two machines, from which another one logs in, and two open incidents; the
 * first user has very many.
 */
async function crowd(engine: Engine) {
  const clock = new ManualClock();
  const store = await openStoreAt({ url: await engine.url(), clock, resources, durable: false });
  const tenant: Tenant = {
    cid: "c".repeat(32),
    name: "crowd",
    parent_cid: null,
    created_at: clock.now().toISOString(),
  };
  await createTenant(store, clock, tenant);
  const numbers = Array.from({ length: people }, (_, index) => index);
  const owns = (number: number) => ({
    type: "ENTITY",
    bindingType: "OWNERSHIP",
    entityId: uuid(people + (number % people)),
  });
  await have({ store, clock, tenant }, "identity-entities", [
    ...numbers.map((number) => user(number, { associations: [owns(number), owns(number + 1)] })),
    ...numbers.map((number) =>
      endpoint(people + number, {
        associations: [
          { type: "ENTITY", bindingType: "LOGON", entityId: uuid(2 * people + number) },
        ],
      }),
    ),
    ...numbers.map((number) => user(2 * people + number, { archived: true })),
  ]);
  const incident = (number: number, entity: number, startTime: string) => ({
    incidentId: uuid(number, 1),
    type: "UNUSUAL_ACCESS",
    severity: "LOW",
    startTime,
    compromisedEntities: [uuid(entity)],
  });
  await have({ store, clock, tenant }, "identity-incidents", [
    ...numbers.flatMap((number) => [
      incident(number * 2, number, "2026-01-01T00:00:00Z"),
      incident(number * 2 + 1, number, "2026-01-02T00:00:00Z"),
    ]),
    ...Array.from({ length: 6_000 }, (_, index) =>
      incident(10_000 + index, 0, "2026-02-01T00:00:00Z"),
    ),
  ]);
  const reads: string[] = [];
  const failure: { error?: Error } = {};
  const context = { store: noting(store, reads, failure), cursorSecret: "secret" };
  const ask = (query: string) =>
    runQuery(
      { query, operationName: undefined, variables: {} },
      {
        call: { caller: { cid: tenant.cid }, context, now: clock.now() },
        limits: new LocalLimits(defaultLimits),
        onFailure: (error) => reads.push(String(error)),
      },
    );
  return { reads, ask, failure, store };
}

interface Node {
  readonly entityId: string;
  readonly associations: readonly { readonly entity: { readonly type: string } | null }[];
  readonly openIncidents: {
    readonly nodes: readonly { readonly startTime: string }[];
    readonly pageInfo: { readonly hasNextPage: boolean };
  };
}

forEachEngine((engine) => {
  describe("the reads of a query", () => {
    let world: Awaited<ReturnType<typeof crowd>>;
    beforeAll(async () => {
      world = await crowd(engine);
    }, 30_000);
    afterAll(() => world.store.close());

    test("are few look-ups for any number of entities", async () => {
      const { ask, reads } = world;
      reads.length = 0;
      const { data, errors } = await ask(`{
        entities(first: ${people}, types: [USER], archived: false) {
          nodes {
            entityId
            associations { ... on EntityAssociation { entity { type } } }
            openIncidents(first: 3) {
              nodes { startTime compromisedEntities { entityId } }
              pageInfo { hasNextPage }
            }
          }
        }
      }`);
      expect(errors).toBeUndefined();
      const { nodes } = (data as unknown as { entities: { nodes: readonly Node[] } }).entities;
      expect(nodes).toHaveLength(people);
      for (const { entityId, associations, openIncidents } of nodes) {
        expect(associations.map(({ entity }) => entity?.type)).toEqual(["ENDPOINT", "ENDPOINT"]);
        const [many, day] = entityId === uuid(0) ? [true, "02-01"] : [false, "01-02"];
        expect(openIncidents.nodes).toHaveLength(many ? 3 : 2);
        expect(openIncidents.nodes[0]?.startTime).toContain(day);
        expect(openIncidents.pageInfo.hasNextPage).toBe(many);
      }
      // The first user's incidents alone fill a look-up; those of the others are read by the
      // second.
      expect(reads).toEqual([
        "identity_entities.page",
        "identity_entities.getComplete",
        "identity_incidents.page",
        "identity_incidents.page",
      ]);
    });

    test("are one look-up per level for references", async () => {
      const { ask, reads } = world;
      reads.length = 0;
      const { errors } = await ask(`
        { entities(first: 400, types: [USER], archived: false) { nodes { ...Near ...Far } } }
        fragment Near on Entity { associations { ... on EntityAssociation { entity { ...Far } } } }
        fragment Far on Entity { associations { ... on EntityAssociation { entity { archived } } } }
      `);
      expect(errors).toBeUndefined();
      expect(reads).toEqual([
        "identity_entities.page",
        "identity_entities.getComplete",
        "identity_entities.getComplete",
      ]);
    });

    test("include only requested records", async () => {
      const { ask, reads } = world;
      reads.length = 0;
      await ask("{ entities(first: 2) { nodes { entityId riskFactors { type } } } countEntities }");
      expect(reads).toEqual(["identity_entities.page", "identity_entities.count"]);
    });

    test("may include a record several times, up to a limit", async () => {
      const { ask, store } = world;
      const circle = Array.from({ length: 100 }, (_, index) => index);
      const clock = new ManualClock();
      await have(
        { store, clock, tenant: { cid: "c".repeat(32) } as Tenant },
        "identity-entities",
        circle.map((number) =>
          user(number, {
            associations: circle.map((other) => ({
              type: "ENTITY",
              bindingType: "LOGON",
              entityId: uuid(other),
            })),
          }),
        ),
      );
      const inner = "associations { ... on EntityAssociation { entity {";
      const { data, errors } = await ask(
        `{ entities(first: 100) { nodes { ${inner} ${inner} entityId } } } } } } } } }`,
      );
      expect(errors).toEqual([
        {
          code: 400,
          message:
            "the response would have more than 50000 records; request fewer records or fewer fields",
        },
      ]);
      expect(data).toBeUndefined();
      const wide = Array.from({ length: 600 }, (_, index) => `a${index}: entityId`).join(" ");
      const many = await ask(`{ entities(first: 100) { nodes { ${inner} ${wide} } } } } } }`);
      expect(many.errors?.[0]?.message).toContain("more than 1655 records");
    }, 20_000);

    test("report a failure without its details", async () => {
      const { ask, reads, failure } = world;
      reads.length = 0;
      failure.error = new Error("the disk is on fire");
      const { data, errors } = await ask("{ __typename countEntities }");
      expect(data).toBeNull();
      expect(errors).toEqual([
        {
          code: 500,
          message: "internal error; the log contains it under the trace id",
          locations: [{ line: 1, column: 14 }],
          path: ["countEntities"],
        },
      ]);
      expect(reads).toHaveLength(2);
    });
  });
});
