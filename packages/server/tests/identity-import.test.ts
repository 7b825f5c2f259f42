import { expect, test } from "vitest";
import { deviceId, fleetSuite } from "./support/hosts.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { endpoint, user, uuid } from "./support/identities.ts";
import type { ImportKind } from "../src/imports/index.ts";
import { entities } from "../src/domain/identity-protection/entities.ts";

const account = (more: object): object => user(1, { accounts: [more] });
const association = (more: object): object =>
  user(1, { associations: [{ bindingType: "LOGON", ...more }] });
const incident = {
  incidentId: uuid(1),
  type: "BRUTE_FORCE",
  severity: "LOW",
  startTime: "2026-02-01T10:00:00+01:00",
  compromisedEntities: [uuid(1)],
};
const event = {
  eventId: uuid(1),
  category: "SYSTEM",
  eventType: "CLEANED",
  timestamp: "2026-02-01T10:00:00Z",
};

const refused: readonly (readonly [ImportKind, object, RegExp])[] = [
  ["identity-entities", { ...user(1), entityId: "X" }, /^entityId: /],
  ["identity-entities", user(1, { riskScore: 1.01 }), /^riskScore: /],
  ["identity-entities", user(1, { roles: ["King"] }), /^roles\[0\]: /],
  ["identity-entities", user(1, { hostName: "X" }), /^hostName: USER does not have it$/],
  ["identity-entities", endpoint(1, { emailAddresses: [] }), /^emailAddresses: ENDPOINT does not/],
  [
    "identity-entities",
    account({ type: "ACTIVE_DIRECTORY", domain: "d" }),
    /^accounts\[0\]\.samAccountName: ACTIVE_DIRECTORY needs it$/,
  ],
  [
    "identity-entities",
    account({ type: "CLOUD", domain: "d" }),
    /^accounts\[0\]\.domain: CLOUD does not have it$/,
  ],
  [
    "identity-entities",
    association({ type: "ENTITY" }),
    /^associations\[0\]\.entityId: ENTITY needs it$/,
  ],
  [
    "identity-entities",
    association({ type: "LOCAL_ADMIN_DOMAIN_ENTITY", entityId: uuid(2) }),
    /entityType: .* needs it$/,
  ],
  [
    "identity-entities",
    association({ type: "GEO_LOCATION", geoLocation: { countryCode: "no" } }),
    /countryCode/,
  ],
  ["identity-incidents", { ...incident, compromisedEntities: [] }, /^compromisedEntities: /],
  [
    "identity-incidents",
    { ...incident, endTime: "2026-02-01T08:59:59Z" },
    /^endTime: is before startTime, 2026-02-01T09:00:00.000Z$/,
  ],
  ["identity-incidents", { ...incident, type: "RAIN" }, /^type: /],
  [
    "identity-timeline",
    { ...event, actor: "x", accessType: "RDP" },
    /^accessType: events of SYSTEM do not have it$/,
  ],
  [
    "identity-timeline",
    { ...event, category: "THREAT", actor: "x" },
    /^actor: events of THREAT do not have it$/,
  ],
  ["identity-timeline", { ...event, timestamp: "noon" }, /^timestamp: /],
  [
    "sensors",
    { device_id: deviceId(9) },
    /^device_id: there is no host .*; import the hosts first$/,
  ],
  ["sensors", { device_id: deviceId(9), hostname: "X" }, /hostname/],
];

withPostgresAtNight((engine) => {
  const openFleet = fleetSuite(engine);
  test("invalid identities are rejected with the reason", async () => {
    const fleet = await openFleet();
    for (const [kind, line, message] of refused) {
      const { imported, rejected, problems } = await fleet.import(kind, [line]);
      expect([kind, imported, rejected]).toEqual([kind, 0, 1]);
      expect(problems[0]?.message).toMatch(message);
    }
  });

  test("absent members of a line are derived from the others", async () => {
    const fleet = await openFleet();
    const off = { type: "ACTIVE_DIRECTORY", domain: "d", samAccountName: "a", enabled: false };
    await fleet.have("identity-entities", [
      user(1),
      user(2, { riskScore: 0.1, accounts: [off] }),
      user(3, { riskScore: 0.4, accounts: [off, { type: "CLOUD" }] }),
      endpoint(4, { riskScore: 0.7 }),
      endpoint(5, { riskScore: 0.9, riskScoreSeverity: "LOW", enabled: false }),
    ]);
    const records = fleet.store.records(entities, { cid: fleet.cid });
    const entitiesById = await records.getComplete(
      [1, 2, 3, 4, 5].map((at) => uuid(at)),
      fleet.clock.now(),
    );
    const pairs = [...entitiesById.values()].map((entity) => [
      entity.primaryDisplayName,
      entity.riskScoreSeverity,
      entity.enabled,
      entity.domains,
      entity.emailAddresses,
    ]);
    expect(pairs.toSorted()).toEqual([
      ["HOST-4", "HIGH", true, [], undefined],
      ["HOST-5", "LOW", false, [], undefined],
      ["User 1", "NORMAL", true, [], []],
      ["User 2", "LOW", false, ["d"], []],
      ["User 3", "MEDIUM", true, ["d"], []],
    ]);
  });

  test("a repeated line changes nothing, and a newer one replaces the record", async () => {
    const fleet = await openFleet();
    await fleet.have("identity-entities", [user(1)]);
    const newer = user(1, { riskScore: 0.8 });
    expect(await fleet.import("identity-entities", [newer])).toMatchObject({ unchanged: 1 });
    const update = { update: true };
    expect(await fleet.import("identity-entities", [newer], update)).toMatchObject({ updated: 1 });
    expect(await fleet.import("identity-entities", [newer], update)).toMatchObject({
      unchanged: 1,
    });
  });
});
