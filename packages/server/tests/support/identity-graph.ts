import type { TestApi } from "./api.ts";
import type { Engine } from "./engines.ts";
import { endpoint, have, user, uuid } from "./identities.ts";
import { sharedApi } from "./shared-api.ts";

const ann = user(1, {
  primaryDisplayName: "Ann Berger",
  secondaryDisplayName: String.raw`CORP\ann`,
  riskScore: 0.83,
  riskFactors: [
    { type: "STALE_PASSWORD", severity: "LOW" },
    { type: "WEAK_PASSWORD", severity: "HIGH" },
  ],
  roles: ["HumanUserAccountRole", "BuiltinAdministratorRole"],
  watched: true,
  creationTime: "2024-01-01T00:00:00+01:00",
  mostRecentActivity: "2026-02-28T10:00:00Z",
  emailAddresses: ["ann@corp.example"],
  accounts: [
    {
      type: "ACTIVE_DIRECTORY",
      domain: "CORP.example",
      samAccountName: "ann",
      ou: "OU=People",
      servicePrincipalNames: ["HTTP/intranet"],
      passwordAttributes: { lastChange: "2025-01-01T00:00:00Z", strength: "WEAK", exposed: true },
      expirationTime: "2027-01-01T00:00:00Z",
    },
    { type: "SSO", dataSource: "OKTA", userName: "ann@corp.example", title: "Lead" },
    { type: "AZURE", applicationId: "app-1" },
    { type: "CLOUD", cloudServiceName: "Files", enabled: false },
  ],
  associations: [
    { type: "ENTITY", bindingType: "OWNERSHIP", entityId: uuid(4) },
    { type: "ENTITY", bindingType: "LOGON", entityId: uuid(99) },
    {
      type: "GEO_LOCATION",
      bindingType: "LOCATION",
      geoLocation: { countryCode: "NO", city: "Oslo" },
    },
  ],
});
const bob = user(2, {
  primaryDisplayName: "Bob",
  secondaryDisplayName: String.raw`LAB\bob`,
  riskScore: 0.5,
  enabled: false,
  accounts: [{ type: "ACTIVE_DIRECTORY", domain: "lab.example", samAccountName: "bob" }],
});
const robot = user(3, {
  primaryDisplayName: "backup-bot",
  riskScore: 0.2,
  roles: ["ProgrammaticUserAccountRole"],
  archived: true,
  learned: false,
});
const laptop = endpoint(4, {
  primaryDisplayName: "LAPTOP-1",
  hostName: "laptop-1.corp.example",
  agentId: "a".repeat(32),
  operatingSystem: "Windows 11",
  lastIpAddress: "10.0.0.4",
  associations: [
    { type: "LOCAL_ADMIN_LOCAL_USER", bindingType: "LOCAL_ADMINISTRATOR", accountName: "setup" },
    {
      type: "LOCAL_ADMIN_DOMAIN_ENTITY",
      bindingType: "LOCAL_ADMINISTRATOR",
      entityType: "USER",
      entityId: uuid(1),
    },
  ],
});

const incident = (number: number, more: object = {}) => ({
  incidentId: uuid(number, 1),
  type: "PASSWORD_SPRAY",
  severity: "MEDIUM",
  startTime: `2026-02-${String(number).padStart(2, "0")}T00:00:00Z`,
  compromisedEntities: [uuid(1)],
  ...more,
});

const event = (number: number, more: object = {}) => ({
  eventId: uuid(number, 2),
  category: "ACTIVITY",
  eventType: "LOGIN_SUCCESSFUL",
  timestamp: `2026-02-${String(number).padStart(2, "0")}T08:00:00Z`,
  sourceEntityId: uuid(1),
  ...more,
});

/** Three users, one machine, four incidents and five events. */
export const graphSuite = (engine: Engine): (() => Promise<TestApi>) => {
  const { open } = sharedApi(engine);
  return async () => withGraph(await open());
};

async function withGraph(api: TestApi): Promise<TestApi> {
  await have(api, "identity-entities", [ann, bob, robot, laptop]);
  await have(api, "identity-incidents", [
    incident(1),
    incident(2, { state: "RESOLVED" }),
    incident(3, {
      compromisedEntities: [uuid(1), uuid(2), uuid(77)],
      endTime: "2026-02-04T00:00:00Z",
    }),
    incident(4, { state: "IN_PROGRESS", severity: "HIGH", type: "BRUTE_FORCE" }),
  ]);
  await have(api, "identity-timeline", [
    event(1, { targetEntityId: uuid(4), accessType: "RDP", ipAddress: "10.0.0.9" }),
    event(2, {
      category: "THREAT",
      eventType: "INCIDENT",
      incidentId: uuid(3, 1),
      eventSeverity: "HIGH",
    }),
    event(3, {
      category: "POLICY",
      eventType: "MFA",
      ruleId: "b".repeat(32),
      ruleName: "Second factor",
      simulated: true,
    }),
    event(4, {
      category: "AUDIT",
      eventType: "WATCHED",
      actor: "analyst@corp.example",
      eventLabel: "Put on the watch list",
    }),
    event(5, { sourceEntityId: uuid(2), eventType: "LOGIN_FAILED" }),
  ]);
  return api;
}
