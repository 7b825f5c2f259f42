import { describe, expect, test } from "vitest";
import { entities, type Entity } from "../src/domain/identity-protection/entities.ts";
import { createClient } from "../src/access/clients.ts";
import { allScopes, startTestApi } from "./support/api.ts";
import { withPostgresAtNight } from "./support/engines.ts";

const place = "geoLocation { country countryCode city cityCode latitude longitude }";
const sides = `sourceEntity { entityId primaryDisplayName }
  targetEntity { entityId primaryDisplayName }`;
const activity = `${place} locationAssociatedWithUser userDisplayName endpointDisplayName ipAddress`;
const activities = ["UserOnEndpointActivity", "Authentication", "DceRpc", "FailedAuthentication"];
const others = ["SuccessfulAuthentication", "ServiceAccess", "LdapSearch", "RemoteCodeExecution"];
const connectors = ["", "Added", "Deleted", "Modified"];

/** The queries of falcon-mcp when it investigates an entity. */
const timelineOf = (id: string) => `query {
  timeline(sourceEntityQuery: {entityIds: ["${id}"]}, categories: [ACTIVITY, THREAT], first: 50) {
    nodes {
      __typename eventId eventType eventSeverity timestamp
      ${[...activities, ...others]
        .map((type) => `... on Timeline${type}Event { ${sides} ${activity} }`)
        .join("\n")}
      ... on TimelineFileOperationEvent { targetEntity { entityId } ${activity} }
      ... on TimelineAlertEvent { sourceEntity { entityId primaryDisplayName } }
      ${connectors.map((change) => `... on TimelineConnectorConfiguration${change}Event { category }`).join("\n")}
    }
    pageInfo { hasNextPage endCursor }
  }
}`;

const associations = (depth: number): string =>
  depth === 0
    ? ""
    : `associations { bindingType
        ... on EntityAssociation { entity { entityId type riskFactors { type severity } ${associations(depth - 1)} } }
        ... on LocalAdminLocalUserAssociation { accountName }
        ... on LocalAdminDomainEntityAssociation { entityType entity { entityId ${associations(depth - 1)} } }
        ... on GeoLocationAssociation { ${place} } }`;

const detailsOf = (id: string) => `query {
  entities(entityIds: ["${id}"], first: 50) {
    nodes {
      entityId primaryDisplayName secondaryDisplayName type riskScore riskScoreSeverity
      riskFactors { type severity }
      ${associations(2)}
      openIncidents(first: 10) {
        nodes { type startTime endTime compromisedEntities { entityId primaryDisplayName } }
      }
      accounts {
        ... on ActiveDirectoryAccountDescriptor {
          domain samAccountName ou servicePrincipalNames
          passwordAttributes { lastChange strength } expirationTime
        }
        ... on SsoUserAccountDescriptor {
          dataSource mostRecentActivity title creationTime passwordAttributes { lastChange }
        }
        ... on AzureCloudServiceAdapterDescriptor {
          registeredTenantType appOwnerOrganizationId publisherDomain signInAudience
        }
        ... on CloudServiceAdapterDescriptor { dataSourceParticipantIdentifier }
      }
    }
  }
}`;

interface Node {
  readonly [name: string]: unknown;
}

withPostgresAtNight((engine) => {
  describe("the demo world answers an investigation of an identity", () => {
    test("by e-mail address, IP address, user name and host name", async () => {
      const { url, seeded } = await engine.world("small");
      const api = await startTestApi({ databaseUrl: url, config: { compat: true } });
      const { store, clock } = api;
      const cid = seeded.tenants[0]?.cid ?? "";
      const created = await createClient(store.directory, clock, {
        cid,
        name: "c",
        scopes: allScopes,
      });
      const token = await api.newToken(created);
      const ask = async (query: string): Promise<readonly Node[]> => {
        const path = "/identity-protection/combined/graphql/v1";
        const { body, text } = await api.request<{
          readonly data: Readonly<Record<string, { readonly nodes: readonly Node[] }>>;
        }>("POST", path, { token, body: { query } });
        expect(text).not.toContain('"errors":[{');
        return Object.values(body.data)[0]?.nodes ?? [];
      };
      const storedEntities: Entity[] = [];
      for await (const batch of store
        .records(entities, { cid })
        .scanComplete({ kind: "everything" }, clock.now())) {
        storedEntities.push(...batch);
      }
      const user = storedEntities.find((each) => (each.emailAddresses?.length ?? 0) > 0);
      const host = storedEntities.find(({ lastIpAddress }) => lastIpAddress !== undefined);
      const find = (conditions: string) =>
        ask(`{ entities(${conditions}, first: 10) { nodes { entityId } } }`);
      const named = (text: string | undefined) => JSON.stringify([text]);
      for (const [conditions, entityId] of [
        [
          `secondaryDisplayNames: ${named(user?.emailAddresses?.[0])}, types: [USER]`,
          user?.entityId,
        ],
        [
          `secondaryDisplayNamePattern: ${JSON.stringify(user?.emailAddresses?.[0])}, types: [USER]`,
          user?.entityId,
        ],
        [
          `secondaryDisplayNamePattern: ${JSON.stringify(user?.emailAddresses?.[0]?.replace(/^./, "*"))}`,
          user?.entityId,
        ],
        [`primaryDisplayNames: ${named(host?.lastIpAddress)}, types: [ENDPOINT]`, host?.entityId],
        [`primaryDisplayNames: ${named(user?.primaryDisplayName)}`, user?.entityId],
        [`primaryDisplayNames: ${named(host?.primaryDisplayName)}`, host?.entityId],
      ] as const) {
        expect(await find(conditions), conditions).toContainEqual({ entityId });
      }
      const [details] = await ask(detailsOf(user?.entityId ?? ""));
      expect(details).toMatchObject({
        primaryDisplayName: user?.primaryDisplayName,
        associations: expect.arrayContaining([
          {
            bindingType: "LOCATION",
            geoLocation: expect.objectContaining({ city: expect.any(String) }),
          },
        ]),
      });
      const events = await ask(timelineOf(user?.entityId ?? ""));
      const login = events.find(({ userDisplayName }) => userDisplayName !== undefined);
      expect(login).toMatchObject({
        __typename: expect.stringMatching(/^Timeline(Successful|Failed|Service|Ldap)/),
        userDisplayName: user?.primaryDisplayName,
        endpointDisplayName: expect.any(String),
        locationAssociatedWithUser: true,
        geoLocation: { country: expect.any(String) },
      });
    });
  });
});
