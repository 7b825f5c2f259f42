import { entities, type Entity } from "../domain/identity-protection/entities.ts";
import { incidents } from "../domain/identity-protection/incidents.ts";
import { sensors, type Sensor } from "../domain/identity-protection/sensors.ts";
import { timelineEvents } from "../domain/identity-protection/timeline.ts";
import type { StoredUser } from "../access/users.ts";
import { identityEntityImporter } from "../imports/identity-entities.ts";
import { hostsOf } from "./fill-hosts.ts";
import { knownController } from "./known.ts";
import { insertAll, take, type Count, type Filling } from "./filling.ts";
import {
  eventsOfEach,
  identityCeiling,
  incidentCount,
  seededEntities,
  seededEvents,
  seededIncidents,
  seededSensor,
  userEntityCount,
  type EntityLine,
} from "./identities.ts";
import { Random } from "./random.ts";

/** Numbers of identities, incidents and events for a number of hosts. */
export function identityCounts(hosts: number): {
  readonly identities: number;
  readonly identity_events: number;
} {
  const identities = userEntityCount(hosts) + Math.min(hosts, identityCeiling);
  return { identities, identity_events: incidentCount(hosts) + identities * eventsOfEach };
}

interface Counts {
  readonly sensors: Count;
  readonly identities: Count;
  readonly events: Count;
}

/** Sensors on the domain controllers, the identity graph of hosts and users, and its timeline. */
export async function fillIdentities(
  filling: Filling,
  users: readonly StoredUser[],
  counts: Counts,
): Promise<void> {
  const { tenant, plan, seed, purpose, base } = filling;
  if (plan.hosts === 0) return;
  await insertAll(filling, sensors, sensorsOf(filling), counts.sensors);
  const random = new Random(seed, `${purpose}/identities`);
  const hosts = [...take(hostsOf(filling), 0, identityCeiling)];
  const label = tenant.name.toLowerCase().replaceAll(" ", "-");
  const lines = seededEntities(random, { hosts, users, label, base, known: filling.known });
  await insertAll(filling, entities, lines.map(entityOf), counts.identities);
  const newIncidents = seededIncidents(random, lines, incidentCount(plan.hosts), base);
  await insertAll(filling, incidents, newIncidents, counts.events);
  await insertAll(
    filling,
    timelineEvents,
    seededEvents(random, lines, newIncidents, base),
    counts.events,
  );
}

/** A sensor that somebody has to look after, in every story. */
const needingAttention = {
  status: "attention",
  status_causes: ["directory_auditing_incomplete"],
  directory_auditing: "incomplete",
} as const;

function* sensorsOf(filling: Filling): Generator<Sensor> {
  const random = new Random(filling.seed, `${filling.purpose}/sensors`);
  for (const host of hostsOf(filling)) {
    if (host.product_type_desc !== "Domain Controller") continue;
    const isKnown = filling.plan.story && host.device_id === filling.known(knownController);
    yield { ...seededSensor(random, host, filling.base), ...(isKnown ? needingAttention : {}) };
  }
}

function entityOf(line: EntityLine): Entity {
  const about = { cid: "", now: new Date(0) };
  const read = identityEntityImporter.read(line, about);
  if ("record" in read) return read.record;
  throw new Error(`a generated identity is none: ${JSON.stringify(read.problems)}`);
}
