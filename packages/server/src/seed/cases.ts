import { createHash } from "node:crypto";
import { newCase } from "../domain/case-management/cases/new-case.ts";
import { severityOf } from "../domain/case-management/cases/severity.ts";
import { filled, type UnfilledCase } from "../domain/case-management/kinds/store-cases.ts";
import type { StoredCase } from "../domain/case-management/kinds/cases.ts";
import { analyse } from "../domain/case-management/evidence/analysis.ts";
import { importedEvidence } from "../domain/case-management/evidence/collect.ts";
import type { EvidenceRecord } from "../domain/case-management/evidence/evidence-records.ts";
import { asCaseUser, serverIdentity } from "../domain/case-management/identity.ts";
import type { StoredUser } from "../access/users.ts";
import type { Host } from "../inventory/hosts.ts";
import type { Sightings } from "./executions.ts";
import { platformOf } from "./hosts.ts";
import { days, instant } from "./instants.ts";
import type { Person } from "./story/step.ts";
import { uuid, type Random } from "./random.ts";

import { people, unwantedRuns } from "./words.ts";

/** Input for the cases of a tenant. */
export interface CaseWorld {
  readonly cid: string;
  readonly base: number;
  /** The minute in which the world is generated. */
  readonly now: number;
  /** The hosts; at least one. */
  readonly hosts: readonly Host[];
  readonly users: readonly StoredUser[];
  readonly sightings: Sightings;
  /** Number of cases. */
  readonly count: number;
  /** Whether people work on the cases later, so that they are new at first. */
  readonly story: boolean;
}

/** How a case ends, and who works on it. */
export interface Outcome {
  readonly status: (typeof statuses)[number];
  readonly person: Person;
}

/** A case and the evidence that it has. */
export interface SeededCase {
  readonly stored: StoredCase;
  readonly alerts: readonly EvidenceRecord[];
  readonly events: readonly EvidenceRecord[];
  readonly outcome: Outcome;
}

const attacks = [
  {
    what: "Credential theft",
    families: ["Quillfox", "Corvid"],
    severities: [70, 90],
    tactic: { id: "TA0006", name: "Credential Access" },
    technique: { id: "T1003.001", name: "LSASS Memory" },
  },
  {
    what: "Ransomware preparation",
    families: ["Emberfall", "Tidewrack"],
    severities: [85, 100],
    tactic: { id: "TA0040", name: "Impact" },
    technique: { id: "T1490", name: "Inhibit System Recovery" },
  },
  {
    what: "Command and control traffic",
    families: ["Saltmarsh", "Greylatch"],
    severities: [60, 80],
    tactic: { id: "TA0011", name: "Command and Control" },
    technique: { id: "T1071.001", name: "Web Protocols" },
  },
  {
    what: "Suspicious download",
    families: ["Greylatch", "Brindle", "Mossback"],
    severities: [20, 55],
    tactic: { id: "TA0002", name: "Execution" },
    technique: { id: "T1204.002", name: "Malicious File" },
  },
  {
    what: "Lateral movement",
    families: ["Emberfall", "Saltmarsh"],
    severities: [55, 85],
    tactic: { id: "TA0008", name: "Lateral Movement" },
    technique: { id: "T1021.001", name: "Remote Desktop Protocol" },
  },
] as const;

const labels = ["confirmed", "phishing", "triage", "vip", "weekend"] as const;
/** Each entry is equally likely. A repeated status is more frequent. */
const statuses = ["new", "new", "in_progress", "in_progress", "closed", "reopened"] as const;
const mostAlerts = 3;

/** Parts of the users who work on cases, in the order of the users. */
const parts = ["administrator", "analyst", "responder"] as const satisfies readonly Person[];

const between = (random: Random, [least, most]: readonly [number, number]): number =>
  least + random.below(most - least + 1);

/** The `index`-th case of a tenant in the order of time: alerts and events of one of its hosts in the month before `base`. */
export function seededCase(random: Random, index: number, world: CaseWorld): SeededCase {
  const { cid, base, now, hosts, users, sightings, count, story } = world;
  const attack = random.pick(attacks);
  const family = random.pick(attack.families);
  const drawn = random.below(hosts.length);
  const share = Math.floor(days(28) / count);
  const start = base - days(30) + index * share + random.below(share);
  const host = hostAt(hosts, drawn, start, start + spanOfEvidence);
  const alerts = Array.from({ length: 1 + random.below(mostAlerts) }, (_, number) =>
    evidenceOf(random, { attack, family, host, sightings }, start + number * 60_000, "ind"),
  );
  const events = [
    evidenceOf(
      random,
      { attack, family, host, sightings },
      start + random.below(spanOfEvidence),
      "evt",
    ),
  ];
  const severity = between(random, attack.severities);
  const chosen = random.pick(statuses);
  // Somebody takes a critical case at once.
  const isTaken = chosen === "new" && severity >= 80;
  const outcome: Outcome = {
    status: isTaken ? "in_progress" : chosen,
    person: random.pick(parts),
  };
  const status = story ? "new" : outcome.status;
  const assigned = status === "new" ? undefined : users[parts.indexOf(outcome.person)];
  const created = new Date(start + 900_000 + random.below(Math.min(share, 3_600_000)));
  const id = uuid(random);
  const name = `${attack.what} on ${host.hostname ?? host.device_id}`;
  const level = severityOf({ severity }, "").severity;
  if (level === null) throw new RangeError(`no level for ${severity}`);
  const { results, findings, span } = analyse({ alerts, events }, []);
  const stored: UnfilledCase = {
    ...newCase(cid, created, serverIdentity, { name, severity: level }),
    id,
    reference_id: `CSE-${index + 1}`,
    description: `${family} was seen on ${host.hostname ?? host.device_id}.`,
    status,
    tags: [family.toLowerCase(), ...(random.chance(40) ? [random.pick(labels)] : [])],
    ...(assigned === undefined ? {} : { assigned_to: asCaseUser(assigned) }),
    evidence: importedEvidence(id, { alerts: alerts.map(idOf), events: events.map(idOf) }),
    analysis_results: results,
    findings,
    ...(span === null ? {} : { start_timestamp: span.start, end_timestamp: span.end }),
    updated_timestamp: instant(
      Math.min(now, created.getTime() + (story ? 0 : random.below(days(1)))),
    ),
  };
  return { stored: filled(stored), alerts, events, outcome };
}

/** The alerts and the event of a case lie within so many milliseconds, before the case is created. */
const spanOfEvidence = 600_000;

/** The first host from `drawn` on whose sensor reported between the two instants. */
function hostAt(hosts: readonly Host[], drawn: number, from: number, to: number): Host {
  const [first, last] = [instant(from), instant(to)];
  for (let offset = 0; offset < hosts.length; offset += 1) {
    const host = hosts[(drawn + offset) % hosts.length] as Host;
    if ((host.first_seen ?? "") <= first && (host.last_seen ?? "") >= last) return host;
  }
  throw new Error(`no host was there at ${first}`);
}

const idOf = ({ id }: EvidenceRecord) => ({ id });

interface Scene {
  readonly attack: (typeof attacks)[number];
  readonly family: string;
  readonly host: Host;
  readonly sightings: Sightings;
}

function evidenceOf(
  random: Random,
  { attack, family, host, sightings }: Scene,
  at: number,
  kind: "ind" | "evt",
): EvidenceRecord {
  const { device_id, hostname, local_ip, external_ip } = host;
  const program = random.pick(unwantedRuns[platformOf(device_id)]);
  const person = random.pick(people);
  const sighting = sightings.hashes[random.below(sightings.hashes.length)];
  const sha256 =
    sighting?.type === "sha256"
      ? sighting.value
      : createHash("sha256").update(program).digest("hex");
  const address = sightings.addresses[random.below(sightings.addresses.length)];
  const [tactics, techniques] = [[attack.tactic], [attack.technique]];
  return {
    id: `${host.cid}:${kind}:${device_id}:${random.hex(16)}`,
    timestamp: instant(at),
    name: attack.what,
    description: `${program}, known as ${family}, was started by ${person}.`,
    severity: between(random, attack.severities),
    data_domains: ["Endpoint"],
    source_vendors: ["Security Platform"],
    source_products: [kind === "ind" ? "Endpoint detection" : "Endpoint telemetry"],
    tactics,
    techniques,
    hosts: [
      {
        aid: device_id,
        ...(hostname === undefined ? {} : { hostname }),
        ...(external_ip === undefined ? {} : { agent_ip: external_ip }),
        ...(local_ip === undefined ? {} : { local_ip }),
      },
    ],
    users: [{ username: person }],
    files: [{ filename: program, sha256 }],
    processes: [{ image_file_name: program, command_line: `${program} --user ${person}` }],
    ...(address === undefined ? {} : { ips: [address] }),
  };
}
