import { identityGraphqlSchema } from "@security-platform/spec";
import {
  buildClientSchema,
  buildSchema,
  getIntrospectionQuery,
  lexicographicSortSchema,
  printSchema,
  type GraphQLSchema,
  type IntrospectionQuery,
} from "graphql";
import { describe, expect, test } from "vitest";
import type { TestApi } from "./support/api.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { dataOf, uuid } from "./support/identities.ts";
import { graphSuite } from "./support/identity-graph.ts";

withPostgresAtNight((engine) => {
  const start = graphSuite(engine);

  const namesOf = async (api: TestApi, conditions: string, order = "") => {
    const data = await dataOf(
      api,
      `{ entities(${[conditions, order].filter((text) => text !== "").join(", ") || "first: 100"}) { nodes { primaryDisplayName } }
         ${conditions === "" ? "countEntities" : `countEntities(${conditions})`} }`,
    );
    const { nodes } = data["entities"] as unknown as {
      nodes: readonly { primaryDisplayName: string }[];
    };
    const names = nodes.map(({ primaryDisplayName }) => primaryDisplayName);
    expect(data["countEntities"]).toBe(names.length);
    return names;
  };

  describe("identities by GraphQL", () => {
    test("the members that GraphQL clients usually send", async () => {
      const api = await start();
      const send = async (body: object) =>
        (
          await api.request<{ data?: object; errors?: { message: string }[] }>(
            "POST",
            "/identity-protection/combined/graphql/v1",
            { body },
          )
        ).body;
      const one = "query One { countEntities }";
      const two = `${one} query Two { other: countEntities }`;
      const usual = { operationName: "One", variables: null, extensions: { persistedQuery: {} } };
      expect(await send({ query: one, ...usual })).toHaveProperty("data.countEntities");
      expect(
        await send({ query: one, operationName: null, variables: {}, extensions: null }),
      ).toHaveProperty("data.countEntities");
      expect(await send({ query: one, operationName: "" })).toHaveProperty("data.countEntities");
      expect(await send({ query: two, operationName: "Two" })).toHaveProperty("data.other");
      expect((await send({ query: one, operationName: "Nothing" })).errors?.[0]?.message).toContain(
        "Nothing",
      );
    });

    test("a user with all fields", async () => {
      const api = await start();
      const data = await dataOf(
        api,
        `query Whole($ids: [UUID!]) {
          entities(entityIds: $ids) {
            nodes {
              __typename entityId type primaryDisplayName secondaryDisplayName riskScore riskScoreSeverity
              riskFactors { type severity } roles { type } isHuman isProgrammatic
              archived enabled learned watched creationTime mostRecentActivity
              accounts {
                __typename dataSource enabled
                ... on ActiveDirectoryAccountDescriptor {
                  domain samAccountName ou servicePrincipalNames expirationTime
                  passwordAttributes { lastChange strength exposed }
                }
                ... on SsoUserAccountDescriptor { userName title mostRecentActivity }
                ... on AzureCloudServiceAdapterDescriptor { applicationId servicePrincipalNames }
                ... on CloudServiceAdapterDescriptor { cloudServiceName }
              }
              associations {
                bindingType
                ... on EntityAssociation { entity { entityId ...Machine } }
                ... on GeoLocationAssociation { geoLocation { countryCode city } }
              }
              openIncidents(first: 2) { nodes { type severity startTime endTime compromisedEntities { entityId } } pageInfo { hasNextPage } }
              ... on UserEntity { emailAddresses phoneNumbers }
            }
            pageInfo { hasNextPage endCursor }
          }
        }
        fragment Machine on EndpointEntity {
          hostName agentId operatingSystem lastIpAddress
          associations {
            __typename
            ... on LocalAdminLocalUserAssociation { accountName }
            ... on LocalAdminDomainEntityAssociation { entityType entity { primaryDisplayName } }
          }
        }`,
        { ids: [uuid(1).toUpperCase()] },
      );
      expect(data).toEqual({
        entities: {
          nodes: [
            {
              __typename: "UserEntity",
              entityId: uuid(1),
              type: "USER",
              primaryDisplayName: "Ann Berger",
              secondaryDisplayName: String.raw`CORP\ann`,
              riskScore: 0.83,
              riskScoreSeverity: "HIGH",
              riskFactors: [
                { type: "WEAK_PASSWORD", severity: "HIGH" },
                { type: "STALE_PASSWORD", severity: "LOW" },
              ],
              roles: [{ type: "HumanUserAccountRole" }, { type: "BuiltinAdministratorRole" }],
              isHuman: true,
              isProgrammatic: false,
              archived: false,
              enabled: true,
              learned: true,
              watched: true,
              creationTime: "2023-12-31T23:00:00.000Z",
              mostRecentActivity: "2026-02-28T10:00:00.000Z",
              accounts: [
                {
                  __typename: "ActiveDirectoryAccountDescriptor",
                  dataSource: "ACTIVE_DIRECTORY",
                  enabled: true,
                  domain: "CORP.example",
                  samAccountName: "ann",
                  ou: "OU=People",
                  servicePrincipalNames: ["HTTP/intranet"],
                  expirationTime: "2027-01-01T00:00:00.000Z",
                  passwordAttributes: {
                    lastChange: "2025-01-01T00:00:00.000Z",
                    strength: "WEAK",
                    exposed: true,
                  },
                },
                {
                  __typename: "SsoUserAccountDescriptor",
                  dataSource: "OKTA",
                  enabled: true,
                  userName: "ann@corp.example",
                  title: "Lead",
                  mostRecentActivity: null,
                },
                {
                  __typename: "AzureCloudServiceAdapterDescriptor",
                  dataSource: "AZURE",
                  enabled: true,
                  applicationId: "app-1",
                  servicePrincipalNames: [],
                },
                {
                  __typename: "CloudServiceAdapterDescriptor",
                  dataSource: "CLOUD",
                  enabled: false,
                  cloudServiceName: "Files",
                },
              ],
              associations: [
                {
                  bindingType: "OWNERSHIP",
                  entity: {
                    entityId: uuid(4),
                    hostName: "laptop-1.corp.example",
                    agentId: "a".repeat(32),
                    operatingSystem: "Windows 11",
                    lastIpAddress: "10.0.0.4",
                    associations: [
                      { __typename: "LocalAdminLocalUserAssociation", accountName: "setup" },
                      {
                        __typename: "LocalAdminDomainEntityAssociation",
                        entityType: "USER",
                        entity: { primaryDisplayName: "Ann Berger" },
                      },
                    ],
                  },
                },
                { bindingType: "LOGON", entity: null },
                { bindingType: "LOCATION", geoLocation: { countryCode: "NO", city: "Oslo" } },
              ],
              openIncidents: {
                nodes: [
                  {
                    type: "BRUTE_FORCE",
                    severity: "HIGH",
                    startTime: "2026-02-04T00:00:00.000Z",
                    endTime: null,
                    compromisedEntities: [{ entityId: uuid(1) }],
                  },
                  {
                    type: "PASSWORD_SPRAY",
                    severity: "MEDIUM",
                    startTime: "2026-02-03T00:00:00.000Z",
                    endTime: "2026-02-04T00:00:00.000Z",
                    compromisedEntities: [{ entityId: uuid(1) }, { entityId: uuid(2) }],
                  },
                ],
                pageInfo: { hasNextPage: true },
              },
              emailAddresses: ["ann@corp.example"],
              phoneNumbers: [],
            },
          ],
          pageInfo: { hasNextPage: false, endCursor: null },
        },
      });
    });

    test("every condition, in combination and alone", async () => {
      const api = await start();
      const names = (conditions: string) => namesOf(api, conditions);
      const [a, b, r, l] = ["Ann Berger", "Bob", "backup-bot", "LAPTOP-1"] as const;
      for (const [conditions, found] of [
        ["", [a, b, r, l]],
        ["types: [USER]", [a, b, r]],
        ["types: ENDPOINT", [l]],
        ["types: []", []],
        ["types: null", [a, b, r, l]],
        [`entityIds: ["${uuid(2)}", "${uuid(9)}"]`, [b]],
        ["roles: [BuiltinAdministratorRole, ServerRole]", [a]],
        [`primaryDisplayNames: ["BOB", "ann berger"]`, [a, b]],
        [`primaryDisplayNamePattern: "*B*"`, [a, b, r]],
        [`primaryDisplayNamePattern: "b*b"`, [b]],
        [`primaryDisplayNamePattern: "bo"`, []],
        [`primaryDisplayNamePattern: "laptop-1"`, [l]],
        [String.raw`secondaryDisplayNames: ["lab\\BOB"]`, [b]],
        [String.raw`secondaryDisplayNamePattern: "corp\\*"`, [a]],
        ["riskScoreSeverities: [HIGH, MEDIUM]", [a, b]],
        ["riskScoreSeverities: [NORMAL]", [l]],
        ["archived: true", [r]],
        ["archived: false", [a, b, l]],
        ["enabled: false", [b]],
        ["learned: false", [r]],
        [`domains: ["corp.EXAMPLE"]`, [a]],
        [`domains: ["corp.example", "lab.example"], enabled: true`, [a]],
      ] as const) {
        expect([conditions, await names(conditions)]).toEqual([conditions, found]);
      }
    });

    test("every order", async () => {
      const api = await start();
      const [a, b, r, l] = ["Ann Berger", "Bob", "backup-bot", "LAPTOP-1"] as const;
      for (const [order, found] of [
        ["sortKey: RISK_SCORE, sortOrder: DESCENDING", [a, b, r, l]],
        ["sortKey: RISK_SCORE", [l, r, b, a]],
        ["sortKey: PRIMARY_DISPLAY_NAME", [a, r, b, l]],
        ["sortKey: SECONDARY_DISPLAY_NAME, sortOrder: DESCENDING", [b, a, r, l]],
        ["sortKey: MOST_RECENT_ACTIVITY", [a, b, r, l]],
        ["sortKey: ENTITY_ID, sortOrder: DESCENDING", [l, r, b, a]],
        ["sortOrder: ASCENDING", [a, b, r, l]],
      ] as const) {
        expect([order, await namesOf(api, "", order)]).toEqual([order, found]);
      }
    });

    test("introspection returns the schema", async () => {
      const api = await start();
      const query = getIntrospectionQuery({ specifiedByUrl: true, schemaDescription: true });
      const data = await dataOf(api, query);
      const introspected = buildClientSchema(data as unknown as IntrospectionQuery);
      const written = buildSchema(identityGraphqlSchema());
      const printed = (schema: GraphQLSchema) => printSchema(lexicographicSortSchema(schema));
      expect(printed(introspected)).toBe(printed(written));
    });
  });
});
