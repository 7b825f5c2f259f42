import { describe, expect, test } from "vitest";
import { withPostgresAtNight } from "./support/engines.ts";
import { ask, dataOf, have, user, uuid } from "./support/identities.ts";
import { graphSuite } from "./support/identity-graph.ts";

withPostgresAtNight((engine) => {
  const start = graphSuite(engine);

  describe("identities by GraphQL", () => {
    test("page by page, with variables as an object and as JSON text", async () => {
      const api = await start();
      const query = `query ($first: Int!, $after: Cursor, $types: [EntityType!]) {
        entities(first: $first, after: $after, types: $types, sortKey: RISK_SCORE, sortOrder: DESCENDING) {
          nodes { primaryDisplayName } pageInfo { hasNextPage endCursor }
        } }`;
      const page = async (variables: object | string) => {
        const data = await dataOf(api, query, variables);
        return data["entities"] as unknown as {
          nodes: readonly { primaryDisplayName: string }[];
          pageInfo: { hasNextPage: boolean; endCursor: string | null };
        };
      };
      const first = await page({ first: 2 });
      expect(first.nodes).toEqual([
        { primaryDisplayName: "Ann Berger" },
        { primaryDisplayName: "Bob" },
      ]);
      expect(first.pageInfo.hasNextPage).toBe(true);
      // Records written in the meantime are not part of the list.
      await have(api, "identity-entities", [user(7, { riskScore: 0.3 })]);
      const second = await page(JSON.stringify({ first: 2, after: first.pageInfo.endCursor }));
      expect(second.nodes).toEqual([
        { primaryDisplayName: "backup-bot" },
        { primaryDisplayName: "LAPTOP-1" },
      ]);
      expect(second.pageInfo).toEqual({ hasNextPage: false, endCursor: null });
      for (const variables of [
        { first: 2, after: "eyJfaWQiOiIxIn0=" },
        { first: 2, after: first.pageInfo.endCursor, types: ["USER"] },
      ]) {
        const { status, body } = await ask(api, query, variables);
        expect(status).toBe(200);
        expect(body.errors).toMatchObject([
          { code: 400, path: ["entities"], locations: [{ line: 2, column: 9 }] },
        ]);
        expect(body.errors?.[0]?.message).toContain("after: not a cursor of this list");
        expect(body.data).toBeNull();
      }
    });

    test("incidents: filters, pages, and the open ones of each entity", async () => {
      const api = await start();
      const ids = async (conditions: string) => {
        const data = await dataOf(api, `{ incidents${conditions} { nodes { incidentId state } } }`);
        const { nodes } = data["incidents"] as unknown as {
          nodes: readonly { incidentId: string }[];
        };
        return nodes.map(({ incidentId }) => Number.parseInt(incidentId.slice(-2), 16));
      };
      expect(await ids("")).toEqual([4, 3, 2, 1]);
      expect(await ids(`(entityIds: ["${uuid(2)}"])`)).toEqual([3]);
      expect(await ids("(states: [RESOLVED])")).toEqual([2]);
      expect(await ids("(severities: [HIGH], types: [BRUTE_FORCE, WEAK_CONFIGURATION])")).toEqual([
        4,
      ]);
      const query = `query ($after: Cursor) { entities(sortKey: ENTITY_ID) { nodes {
        openIncidents(first: 1, after: $after) { nodes { incidentId } pageInfo { hasNextPage endCursor } } } } }`;
      interface Open {
        readonly entities: {
          readonly nodes: readonly {
            openIncidents: {
              nodes: readonly object[];
              pageInfo: { hasNextPage: boolean; endCursor: string | null };
            };
          }[];
        };
      }
      const open = async (after: string | null) => {
        const { entities } = (await dataOf(api, query, { after })) as unknown as Open;
        return entities.nodes.map(({ openIncidents }) => openIncidents);
      };
      const pages: (readonly object[])[] = [];
      let after: string | null = null;
      do {
        const [ofAnn] = await open(after);
        pages.push(ofAnn?.nodes ?? []);
        after = ofAnn?.pageInfo.endCursor ?? null;
      } while (after !== null);
      expect(pages).toEqual([4, 3, 1].map((number) => [{ incidentId: uuid(number, 1) }]));
      expect((await open(null)).map(({ nodes }) => nodes.length)).toEqual([1, 1, 0, 0]);
    });

    test("the timeline: of all or some entities, in a period and by category", async () => {
      const api = await start();
      const data = await dataOf(
        api,
        `{ timeline(sourceEntityQuery: { primaryDisplayNamePattern: "ann*" }) {
          nodes {
            __typename eventId category eventType eventLabel eventSeverity timestamp
            sourceEntity { primaryDisplayName }
            ... on TimelineActivityEvent { accessType ipAddress targetEntity { primaryDisplayName } }
            ... on TimelineThreatEvent { incident { incidentId compromisedEntities { entityId } } }
            ... on TimelinePolicyEvent { ruleId ruleName simulated targetEntity { entityId } }
            ... on TimelineGeneralEvent { actor }
          } } }`,
      );
      const common = (number: number, category: string, eventType: string) => ({
        eventId: uuid(number, 2),
        category,
        eventType,
        eventLabel: eventType,
        eventSeverity: "NORMAL",
        timestamp: `2026-02-0${number}T08:00:00.000Z`,
        sourceEntity: { primaryDisplayName: "Ann Berger" },
      });
      expect(data["timeline"]).toEqual({
        nodes: [
          {
            ...common(4, "AUDIT", "WATCHED"),
            __typename: "TimelineGeneralEvent",
            eventLabel: "Put on the watch list",
            actor: "analyst@corp.example",
          },
          {
            ...common(3, "POLICY", "MFA"),
            __typename: "TimelinePolicyEvent",
            ruleId: "b".repeat(32),
            ruleName: "Second factor",
            simulated: true,
            targetEntity: null,
          },
          {
            ...common(2, "THREAT", "INCIDENT"),
            __typename: "TimelineThreatEvent",
            eventSeverity: "HIGH",
            incident: {
              incidentId: uuid(3, 1),
              compromisedEntities: [{ entityId: uuid(1) }, { entityId: uuid(2) }],
            },
          },
          {
            ...common(1, "ACTIVITY", "LOGIN_SUCCESSFUL"),
            __typename: "TimelineSuccessfulAuthenticationEvent",
            accessType: "RDP",
            ipAddress: "10.0.0.9",
            targetEntity: { primaryDisplayName: "LAPTOP-1" },
          },
        ],
      });
      const days = async (conditions: string) => {
        const answer = await dataOf(api, `{ timeline${conditions} { nodes { timestamp } } }`);
        const { nodes } = answer["timeline"] as unknown as {
          nodes: readonly { timestamp: string }[];
        };
        return nodes.map(({ timestamp }) => Number(timestamp.slice(8, 10)));
      };
      expect(await days("")).toEqual([5, 4, 3, 2, 1]);
      expect(await days("(sortOrder: ASCENDING, first: 2)")).toEqual([1, 2]);
      expect(await days(`(categories: [ACTIVITY, POLICY])`)).toEqual([5, 3, 1]);
      expect(
        await days(`(startTime: "2026-02-02T08:00:00Z", endTime: "2026-02-04T09:00:00+01:00")`),
      ).toEqual([3, 2]);
      expect(await days(`(sourceEntityQuery: { types: [ENDPOINT] })`)).toEqual([]);
      expect(await days(`(sourceEntityQuery: { entityIds: ["${uuid(2)}"] })`)).toEqual([5]);
    });
  });
});
