import { describe, expect, test } from "vitest";
import { withPostgresAtNight } from "./support/engines.ts";
import { ask, dataOf, graphqlPath, have, user, uuid } from "./support/identities.ts";
import { graphSuite } from "./support/identity-graph.ts";

withPostgresAtNight((engine) => {
  const start = graphSuite(engine);

  describe("identities by GraphQL", () => {
    test("another tenant sees nothing of it", async () => {
      const api = await start();
      const { token } = await api.newTenant("other");
      const query = `{ countEntities entities(entityIds: ["${uuid(1)}"]) { nodes { entityId } }
        incidents { nodes { incidentId } } timeline { nodes { eventId } } }`;
      const { body } = await ask(api, query, undefined, token);
      expect(body.data).toEqual({
        countEntities: 0,
        entities: { nodes: [] },
        incidents: { nodes: [] },
        timeline: { nodes: [] },
      });
      const own = (await dataOf(
        api,
        "{ entities(first: 1) { pageInfo { endCursor } } }",
      )) as unknown as { entities: { pageInfo: { endCursor: string } } };
      const { endCursor } = own.entities.pageInfo;
      const after = `{ entities(first: 1, after: "${endCursor}") { nodes { entityId } } }`;
      expect((await ask(api, after)).body.errors).toBeUndefined();
      expect((await ask(api, after, undefined, token)).body.errors).toMatchObject([{ code: 400 }]);
    });

    test("an invalid query is not executed, costs nothing, and is reported with its place", async () => {
      const api = await start();
      const deep = "associations { ... on EntityAssociation { entity { ".repeat(6);
      const tooDeep = `{ entities(first: 1) { nodes { ${deep} entityId ${" } } }".repeat(6)} } } }`;
      const at = (line: number, column: number) => [{ line, column }];
      for (const [query, message, locations] of [
        ["{ entities", /Syntax Error: Expected Name, found <EOF>/, at(1, 11)],
        ["{ countEntities\n  entities(first: 1 { nodes } }", /Syntax Error/, at(2, 21)],
        ["query { entities { nodes { riskScor } } }", /Did you mean .*"riskScore"/, at(1, 28)],
        [
          "{ entities(colour: RED) { nodes { entityId } } }",
          /Unknown argument "colour"/,
          at(1, 12),
        ],
        ["{ entities(types: [ROBOT]) { nodes { entityId } } }", /ROBOT/, at(1, 20)],
        [
          '{ entities(entityIds: ["x"]) { nodes { entityId } } }',
          /"UUID".*expected a UUID, got "x"/,
          at(1, 24),
        ],
        ['{ timeline(startTime: "noon") { nodes { eventId } } }', /RFC 3339/, at(1, 23)],
        ["{ entities { nodes } }", /must have a selection of subfields/, at(1, 14)],
        [
          "{ entities(first: 0) { nodes { entityId } } }",
          /first: expected 1 to 1000, got 0/,
          at(1, 3),
        ],
        ["{ entities(first: 1001) { nodes { entityId } } }", /got 1001/, at(1, 3)],
        ["{ entities(first: null) { nodes { entityId } } }", /got null/, at(1, 3)],
        ["query ($n: Int!) { entities(first: $n) { nodes { entityId } } }", /\$n/, at(1, 8)],
        [tooDeep, /nested 15 fields deep; at most 12 are allowed/, at(1, 1)],
        [
          "{ entities(first: 1000) { nodes { openIncidents(first: 100) { nodes { type } } } } }",
          /costs 101001 points; the maximum is 50000/,
          at(1, 1),
        ],
        ["mutation { forget }", /mutation/, at(1, 1)],
        ["query A { countEntities } query B { countEntities }", /operation name/, undefined],
        [
          "fragment F on UserEntity { entityId ...F } { entities { nodes { ...F } } }",
          /itself/,
          at(1, 37),
        ],
        [`{ ${"countEntities ".repeat(2_000)} }`, /2000 tokens/, at(1, 27_989)],
        [
          "{ __schema { types { fields { type { fields { type { fields { type { fields { name } } } } } } } } } }",
          /introspection depth/i,
          at(1, 3),
        ],
      ] as const) {
        const { status, body } = await ask(api, query);
        expect([query, status]).toEqual([query, 200]);
        const [error] = body.errors ?? [];
        expect(error?.message).toMatch(message);
        expect([query, error?.code, error?.locations]).toEqual([query, 400, locations]);
        expect("data" in body).toBe(false);
        expect(body.extensions).toMatchObject({
          consumedPoints: 0,
          remainingPoints: 500_000,
          reset: 0,
        });
        expect(body.meta.trace_id).toMatch(/^[0-9a-f-]{36}$/);
      }
    });

    test("a query may be as large as each limit allows, and no larger", async () => {
      const api = await start();
      const nested = (times: number, inside: string) =>
        `{ entities(first: 1) { nodes { ${"associations { ... on EntityAssociation { entity { ".repeat(times)}` +
        `${inside}${" } } }".repeat(times)} } } }`;
      const costing = (more: number) =>
        "{ entities(first: 1000) { nodes { openIncidents(first: 48) { nodes { type } } } } " +
        `more: entities(first: ${more}) { nodes { entityId } } }`;
      const withIds = (count: number) =>
        `{ countEntities(entityIds: ${JSON.stringify(Array.from({ length: count }, (_, at) => uuid(at)))}) }`;
      const withNames = (count: number) =>
        `{ countEntities(primaryDisplayNames: ${JSON.stringify(Array.from({ length: count }, (_, at) => `n${at}`))}) }`;
      const withPattern = (length: number) =>
        `{ countEntities(secondaryDisplayNamePattern: "${"a".repeat(length)}") }`;
      for (const [largest, larger, message] of [
        [nested(4, "associations { bindingType }"), nested(5, "entityId"), "nested 13 fields deep"],
        [costing(999), costing(1_000), "costs 50001 points"],
        [withIds(1_000), withIds(1_001), "at most 1000 values, got 1001"],
        [withNames(100), withNames(101), "at most 100 values, got 101"],
        [withPattern(256), withPattern(257), "at most 256 characters"],
      ] as const) {
        expect((await ask(api, largest)).body.errors).toBeUndefined();
        expect((await ask(api, larger)).body.errors?.[0]?.message).toContain(message);
      }
    });

    test("invalid variables are reported by name", async () => {
      const api = await start();
      const query =
        "query ($first: Int!, $types: [EntityType!]) { entities(first: $first, types: $types) { nodes { entityId } } }";
      for (const [variables, message] of [
        [{}, /\$first/],
        [{ first: "2" }, /\$first.*Int/],
        [{ first: 1, types: ["ROBOT"] }, /\$types.*ROBOT/],
        ['{"first": 1.5}', /\$first/],
      ] as const) {
        const { status, body } = await ask(api, query, variables);
        expect(status).toBe(200);
        expect(body.errors?.[0]?.message).toMatch(message);
        expect(body.errors?.[0]?.code).toBe(400);
        expect("data" in body).toBe(false);
      }
    });

    test("conditions that are too long are reported with their path, and the rest is answered", async () => {
      const api = await start();
      const query = `query ($ids: [UUID!]) { countEntities timeline(sourceEntityQuery: { entityIds: $ids }) { nodes { eventId } } }`;
      const ids = Array.from({ length: 1_001 }, (_, at) => uuid(at));
      const { body } = await ask(api, query, { ids });
      expect(body.data).toBeNull();
      expect(body.errors).toEqual([
        {
          code: 400,
          message: "entityIds: expected at most 1000 values, got 1001",
          locations: [{ line: 1, column: 39 }],
          path: ["timeline"],
        },
      ]);
      const names = Array.from({ length: 101 }, (_, at) => `n${at}`);
      const byName = "query ($names: [String!]) { countEntities(primaryDisplayNames: $names) }";
      expect((await ask(api, byName, { names })).body.errors?.[0]?.message).toContain(
        "at most 100",
      );
      const pattern = `{ countEntities(primaryDisplayNamePattern: "${"*a".repeat(200)}") }`;
      expect((await ask(api, pattern)).body.errors?.[0]?.message).toContain("256 characters");
      await have(
        api,
        "identity-entities",
        ids.slice(10).map((_, at) => user(at + 100)),
      );
      await have(api, "identity-entities", [
        user(5_000),
        user(5_001),
        user(5_002),
        user(5_003),
        user(5_004),
        user(5_005),
        user(5_006),
      ]);
      const wide = "{ timeline(sourceEntityQuery: { types: [USER] }) { nodes { eventId } } }";
      expect((await ask(api, wide)).body.errors?.[0]?.message).toContain("more than 1000 entities");
    });

    test("a query costs points for the records that it requests, and points are restored with time", async () => {
      const api = await start();
      const cost = async (query: string) => (await ask(api, query)).body.extensions;
      expect(await cost("{ __typename }")).toMatchObject({
        consumedPoints: 1,
        remainingPoints: 499_999,
        reset: 1,
      });
      for (const [query, points] of [
        ["{ countEntities }", 11],
        [
          "{ entities(first: 5) { nodes { entityId riskFactors { type } } pageInfo { endCursor } } }",
          6,
        ],
        [
          "{ entities { nodes { associations { ... on EntityAssociation { entity { entityId } } } } } }",
          1_101,
        ],
        [
          "{ entities(first: 2) { nodes { ...O } } incidents(first: 3) { nodes { compromisedEntities { ...O } } } } fragment O on Entity { openIncidents { nodes { type } } }",
          1 + 2 * 11 + 3 * (1 + 10 * 11),
        ],
        [
          "{ timeline(first: 2) { nodes { sourceEntity { entityId } ... on TimelineThreatEvent { incident { type } } } } }",
          7,
        ],
      ] as const) {
        expect([query, (await cost(query)).consumedPoints]).toEqual([query, points]);
      }
      const dear = "{ entities(first: 49999) { nodes { entityId } } }".replace("49999", "1000");
      const dearest = `{ ${Array.from({ length: 49 }, (_, at) => `a${at}: ${dear.slice(2, -2)}`).join(" ")} }`;
      for (let time = 0; time < 10; time += 1) {
        expect((await cost(dearest)).consumedPoints).toBe(49_001);
      }
      const { body } = await ask(api, dearest);
      expect(body.errors?.[0]?.message).toMatch(
        /costs 49001 points, and 8\d{3} of 500000 are left/,
      );
      expect(body.extensions.consumedPoints).toBe(0);
      expect(body.extensions.reset).toBe(590);
      const { token } = await api.newTenant("other");
      const other = await ask(api, "{ countEntities }", undefined, token);
      expect(other.body.extensions).toMatchObject({ remainingPoints: 499_989, reset: 1 });
      api.clock.advance(60_000);
      expect((await cost(dearest)).consumedPoints).toBe(49_001);
      api.clock.advance(600_000);
      expect(await cost("{ __typename }")).toMatchObject({ remainingPoints: 499_999 });
    });

    test("a query requires its scope and a valid body", async () => {
      const api = await start();
      const token = await api
        .newToken(api.client, { scope: "identity-protection-graphql:read" })
        .catch(() => null);
      expect(token === null || typeof token === "string").toBe(true);
      for (const body of [
        {},
        { query: "" },
        { query: 7 },
        { query: "{ countEntities }", variables: 7 },
        { query: "{ countEntities }", variables: "{" },
        { query: "{ countEntities }", variables: "[1]" },
        { query: "{ countEntities }", operationName: 7 },
        { query: "{ countEntities }", extensions: [] },
        { query: "{ countEntities }", operation: "x" },
        { query: "x".repeat(65_537) },
      ]) {
        const answer = await api.request("POST", graphqlPath, { body });
        expect([body, answer.status]).toEqual([body, 400]);
      }
      expect(
        (await api.request("POST", graphqlPath, { token: null, body: { query: "{ x }" } })).status,
      ).toBe(401);
    });
  });
});
