import type {
  Account,
  Association,
  Entity,
  GeoLocation,
  Severity,
} from "../domain/identity-protection/entities.ts";
import { severities } from "../domain/identity-protection/entities.ts";
import type { Incident } from "../domain/identity-protection/incidents.ts";
import { sensorOf, type Sensor } from "../domain/identity-protection/sensors.ts";
import type { TimelineEvent } from "../domain/identity-protection/timeline.ts";
import type { Host } from "../inventory/hosts.ts";
import type { StoredUser } from "../access/users.ts";
import { days, instant } from "./instants.ts";
import { knownEntities } from "./known.ts";
import type { KnownId } from "./known-ids.ts";
import { uuid, type Random } from "./random.ts";

import { departments, firstNames, lastNames, people } from "./words.ts";

/** Maximum number of identities of a type per tenant. */
export const identityCeiling = 2_000;

/** A person who may log in. */
interface Person {
  readonly name: string;
  readonly login: string;
  readonly part: "staff" | "service";
  readonly mail?: string;
  readonly active: boolean;
}

/** What the identities of a tenant are made from. */
export interface IdentityPlace {
  /** The first of the tenant's hosts. */
  readonly hosts: readonly Host[];
  /** The users that the platform knows. */
  readonly users: readonly StoredUser[];
  /** The tenant's name in its domain. */
  readonly label: string;
  readonly base: number;
  readonly known: KnownId;
}

const serviceLogin = "svc-backup";

/** Number of user entities: at least those of the platform, of hosts, and the service account. */
export const userEntityCount = (hosts: number): number =>
  hosts === 0 ? 0 : Math.max(14, Math.min(hosts, identityCeiling));

function peopleOf({ hosts, users, label }: IdentityPlace): readonly Person[] {
  const platformUsers = users.map(({ first_name, last_name, uid, status }): Person => ({
    name: `${first_name} ${last_name}`,
    login: uid.split("@")[0] ?? uid,
    part: "staff",
    mail: uid,
    active: status === "active",
  }));
  const others = people.map((login): Person => {
    const [first = "", last = ""] = login.split(".");
    const name = `${first.toUpperCase()}. ${last.slice(0, 1).toUpperCase()}${last.slice(1)}`;
    return { name, login, part: "staff", mail: `${login}@${label}.example`, active: true };
  });
  const service: Person = {
    name: serviceLogin,
    login: serviceLogin,
    part: "service",
    active: true,
  };
  const all = [...platformUsers, ...others, service];
  for (let index = all.length; index < userEntityCount(hosts.length); index += 1) {
    const first = firstNames[index % firstNames.length] ?? "";
    const last = lastNames[Math.floor(index / firstNames.length) % lastNames.length] ?? "";
    const login = `${first}.${last}.${index}`.toLowerCase();
    const mail = `${login}@${label}.example`;
    all.push({ name: `${first} ${last}`, login, part: "staff", mail, active: index % 17 !== 0 });
  }
  return all;
}

const userRisks = [
  "WEAK_PASSWORD",
  "STALE_PASSWORD",
  "EXPOSED_PASSWORD",
  "INACTIVE_ACCOUNT",
  "PRIVILEGED_WITHOUT_SECOND_FACTOR",
] as const;
const endpointRisks = [
  "LDAP_SIGNING_DISABLED",
  "LDAPS_CHANNEL_BINDING",
  "SPOOLER_SERVICE_RUNNING",
  "UNSUPPORTED_OPERATING_SYSTEM",
] as const;

const weights: Readonly<Record<Severity, number>> = {
  NORMAL: 0,
  LOW: 0.1,
  MEDIUM: 0.25,
  HIGH: 0.4,
};

/** Risk factors, and the score that follows from them. */
function risk(random: Random, types: readonly [string, ...string[]]) {
  const riskTypes = random.chance(40) ? [] : random.some(types, 40);
  const riskFactors = riskTypes
    .map((type) => ({ type, severity: random.pick(severities) }))
    .toSorted((left, right) => weights[right.severity] - weights[left.severity]);
  const sum = riskFactors.reduce((total, { severity }) => total + weights[severity], 0);
  const riskScore = Math.min(99, Math.round(sum * 100) + random.below(10)) / 100;
  return { riskFactors, riskScore };
}

/** Reads a line as an import does, so that both have one form. */
export type EntityLine = Partial<Omit<Entity, "accounts" | "domains">> &
  Pick<Entity, "entityId" | "type" | "primaryDisplayName"> & {
    readonly accounts?: readonly (Partial<Account> & Pick<Account, "type">)[];
  };

/** Users and endpoints: the user of a host owns it, and administrators administer servers. */
export function seededEntities(random: Random, place: IdentityPlace): readonly EntityLine[] {
  const { hosts, base } = place;
  const persons = peopleOf(place);
  const { known } = place;
  const userIds = new Map(
    persons.map(({ login }, index) => {
      const drawn = uuid(random);
      return [login, index === 0 ? known(knownEntities.administrator) : drawn];
    }),
  );
  const hostIds = hosts.map((_, index) => {
    const drawn = uuid(random);
    return index === 0 ? known(knownEntities.controller) : drawn;
  });
  const owned = new Map<string, string[]>();
  for (const [index, { last_login_user = "" }] of hosts.entries()) {
    const list = owned.get(last_login_user) ?? [];
    owned.set(last_login_user, list);
    if (list.length < 10) list.push(hostIds[index] ?? "");
  }
  const [administrator = ""] = userIds.values();
  return [
    ...persons.map((person, index) =>
      userLine(random, person, {
        entityId: userIds.get(person.login) ?? "",
        owned: owned.get(person.login) ?? [],
        isAdministrator: index === 0,
        place,
      }),
    ),
    ...hosts.map((host, index): EntityLine => {
      const owner = userIds.get(host.last_login_user ?? "");
      return {
        ...endpointLine(random, host, hostIds[index] ?? "", base),
        associations: [
          ...(owner === undefined ? [] : [entity("LOGON", owner)]),
          {
            type: "LOCAL_ADMIN_LOCAL_USER",
            bindingType: "LOCAL_ADMINISTRATOR",
            accountName: "setup",
          },
          {
            type: "LOCAL_ADMIN_DOMAIN_ENTITY",
            bindingType: "LOCAL_ADMINISTRATOR",
            entityType: "USER",
            entityId: administrator,
          },
        ],
      };
    }),
  ];
}

const entity = (bindingType: Association["bindingType"], entityId: string): Association => ({
  type: "ENTITY",
  bindingType,
  entityId,
});

interface UserFacts {
  readonly entityId: string;
  readonly owned: readonly string[];
  readonly isAdministrator: boolean;
  readonly place: IdentityPlace;
}

function userLine(
  random: Random,
  { name, login, part, mail, active }: Person,
  { entityId, owned, isAdministrator, place: { label, base } }: UserFacts,
): EntityLine {
  const created = instant(base - days(60 + random.below(900)));
  const seen = instant(base - random.below(days(active ? 3 : 200)));
  const changed = instant(base - days(random.below(500)));
  const department = random.pick(departments);
  const strength = random.pick(["WEAK", "MEDIUM", "STRONG"]);
  const exposed = random.chance(8);
  return {
    entityId,
    type: "USER",
    primaryDisplayName: name,
    secondaryDisplayName: `${label.toUpperCase()}.EXAMPLE\\${login}`,
    ...risk(random, userRisks),
    roles: [
      part === "service" ? "ProgrammaticUserAccountRole" : "HumanUserAccountRole",
      ...(isAdministrator ? ["BuiltinAdministratorRole", "DomainAdministratorRole"] : []),
      ...(part === "service" ? ["BackupOperatorRole"] : []),
    ],
    watched: isAdministrator || random.chance(3),
    learned: random.chance(90),
    archived: !active && random.chance(30),
    creationTime: created,
    mostRecentActivity: seen,
    accounts: [
      {
        type: "ACTIVE_DIRECTORY",
        domain: `${label}.example`,
        samAccountName: login,
        enabled: active,
        ou: part === "service" ? "OU=Services" : `OU=${department},OU=People`,
        department,
        creationTime: created,
        mostRecentActivity: seen,
        passwordAttributes: { lastChange: changed, strength, exposed },
        ...(part === "service" ? { servicePrincipalNames: [`BACKUP/${label}.example`] } : {}),
      },
      ...(mail === undefined || random.chance(40)
        ? []
        : [{ type: "SSO", dataSource: "OKTA", userName: mail, enabled: active } as const]),
    ],
    associations: [
      ...owned.map((id) => entity("OWNERSHIP", id)),
      { type: "GEO_LOCATION", bindingType: "LOCATION", geoLocation: placeOf(entityId) },
    ],
    emailAddresses: mail === undefined ? [] : [mail],
  };
}

function endpointLine(random: Random, host: Host, entityId: string, base: number): EntityLine {
  const { hostname, device_id, machine_domain, product_type_desc, os_version, local_ip } = host;
  const role = { "Domain Controller": "DomainControllerRole", Server: "ServerRole" } as const;
  const name = hostname ?? device_id;
  return {
    entityId,
    type: "ENDPOINT",
    primaryDisplayName: name,
    secondaryDisplayName: `${name}.${machine_domain ?? ""}`,
    ...risk(random, endpointRisks),
    roles: [role[product_type_desc as keyof typeof role] ?? "WorkstationRole"],
    creationTime: host.first_seen ?? instant(base - days(400)),
    ...(host.last_seen === undefined ? {} : { mostRecentActivity: host.last_seen }),
    hostName: name,
    agentId: device_id,
    ...(os_version === undefined ? {} : { operatingSystem: os_version }),
    ...(local_ip === undefined ? {} : { lastIpAddress: local_ip }),
    ...(machine_domain === undefined
      ? {}
      : {
          accounts: [
            { type: "ACTIVE_DIRECTORY", domain: machine_domain, samAccountName: `${name}$` },
          ],
        }),
  };
}

const places = [
  { countryCode: "DE", country: "Germany", city: "Hamburg", cityCode: "HAM" },
  { countryCode: "PT", country: "Portugal", city: "Porto", cityCode: "OPO" },
  { countryCode: "CA", country: "Canada", city: "Halifax", cityCode: "YHZ" },
] as const;
const coordinates = { HAM: [53.55, 9.99], OPO: [41.15, -8.61], YHZ: [44.65, -63.57] } as const;

/** The place of a user, which follows from its identifier. */
function placeOf(entityId: string): GeoLocation {
  const place = places[Number.parseInt(entityId.slice(0, 2), 16) % places.length] ?? places[0];
  const [latitude, longitude] = coordinates[place.cityCode];
  return { ...place, latitude, longitude };
}

/** Kinds of access that have a type of event of their own. */
const accessEvents: Readonly<Record<string, readonly [type: string, label: string]>> = {
  SMB: ["SERVICE_ACCESS", "Accessed a service"],
  LDAP: ["LDAP_SEARCH", "Searched the directory"],
};

const incidentTypes = [
  "BRUTE_FORCE",
  "CREDENTIAL_THEFT",
  "LATERAL_MOVEMENT",
  "PASSWORD_SPRAY",
  "UNUSUAL_ACCESS",
] as const;

export const incidentCount = (hosts: number): number => Math.floor(userEntityCount(hosts) / 4);

/** Incidents of the month before `base`; the newest are open. */
export function seededIncidents(
  random: Random,
  entities: readonly EntityLine[],
  count: number,
  base: number,
): readonly Incident[] {
  return Array.from({ length: count }, (_, index): Incident => {
    const share = days(30) / count;
    const start = base - days(30) + Math.floor(share * index) + random.below(share);
    const other = entities[random.below(entities.length)]?.entityId ?? "";
    const first = entities[random.below(Math.ceil(entities.length / 2))]?.entityId ?? "";
    const resolved = index < count / 2;
    return {
      incidentId: uuid(random),
      type: random.pick(incidentTypes),
      severity: random.pick(["LOW", "MEDIUM", "HIGH"]),
      state: resolved ? "RESOLVED" : random.pick(["NEW", "IN_PROGRESS"]),
      startTime: instant(start),
      ...(resolved ? { endTime: instant(start + days(1)) } : {}),
      compromisedEntities: [...new Set([first, other])],
    };
  });
}

/** Events for each identity of the month before `base`. */
export const eventsOfEach = 4;

export function* seededEvents(
  random: Random,
  entities: readonly EntityLine[],
  incidents: readonly Incident[],
  base: number,
): Generator<TimelineEvent> {
  const endpoints = entities.filter(({ type }) => type === "ENDPOINT");
  for (const { entityId, type } of entities) {
    for (let number = 0; number < eventsOfEach; number += 1) {
      const common = {
        eventId: uuid(random),
        timestamp: instant(base - 1 - random.below(days(30))),
        sourceEntityId: entityId,
      };
      const incident = incidents.find((each) => each.compromisedEntities.includes(entityId));
      if (number === 0 && incident !== undefined) {
        yield {
          ...common,
          category: "THREAT",
          eventType: incident.type,
          eventLabel: "An incident began",
          eventSeverity: incident.severity,
          timestamp: incident.startTime,
          incidentId: incident.incidentId,
        };
      } else if (number === 1 && random.chance(20)) {
        yield {
          ...common,
          category: "ENTITY",
          eventType: "RISK_CHANGED",
          eventLabel: "The risk score changed",
          eventSeverity: "NORMAL",
        };
      } else {
        const failed = random.chance(10);
        const target = endpoints[random.below(endpoints.length)]?.entityId;
        const accessType = random.pick(["RDP", "SMB", "LDAP", "INTERACTIVE"]);
        const [eventType, eventLabel] = failed
          ? ["LOGIN_FAILED", "A login failed"]
          : (accessEvents[accessType] ?? ["LOGIN_SUCCESSFUL", "Logged in"]);
        yield {
          ...common,
          category: "ACTIVITY",
          eventType,
          eventLabel,
          eventSeverity: failed ? "LOW" : "NORMAL",
          ...(target === undefined ? {} : { targetEntityId: target }),
          accessType,
          ...(type === "USER" ? { geoLocation: placeOf(entityId) } : {}),
          ipAddress: `10.0.${random.below(256)}.${2 + random.below(250)}`,
        };
      }
    }
  }
}

/** The sensor of a domain controller; three in four are healthy. */
export function seededSensor(random: Random, host: Host, base: number): Sensor {
  const well = random.chance(75);
  const setting = () => (random.chance(85) ? "enabled" : "disabled");
  return sensorOf(host, {
    device_id: host.device_id,
    status: well ? "protected" : "attention",
    status_causes: well ? [] : ["directory_auditing_incomplete"],
    heartbeat_time: Math.floor(base / 1_000) - random.below(3_600),
    idp_policy_name: "Domain controllers",
    ti_enabled: setting(),
    new_enforcement_mode: random.chance(50) ? "enforced" : "simulated",
    directory_auditing: well ? "complete" : "incomplete",
    group_policy_object: well ? "present" : "absent",
    kerberos_config: setting(),
    ldap_config: setting(),
    ldaps_config: setting(),
    ntlm_config: setting(),
    rdp_to_dc_config: setting(),
    smb_to_dc_config: setting(),
  });
}
