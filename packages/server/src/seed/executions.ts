import type { Execution } from "../domain/ioc/executions.ts";
import type { Indicator } from "../domain/ioc/indicators.ts";
import { days, instant } from "./instants.ts";
import type { Random } from "./random.ts";
import { platformOf, type Platform } from "./hosts.ts";
import { accounts, benignDomains, people, programs, unwantedRuns } from "./words.ts";

/** Indicator values that the processes of a tenant can match, by type. */
export interface Sightings {
  readonly hashes: readonly Pick<Indicator, "type" | "value">[];
  readonly domains: readonly string[];
  readonly addresses: readonly string[];
}

/** Number of indicators of each type that executions match repeatedly. */
const sightingCeiling = 500;

export function sightingsOf(indicators: Iterable<Indicator>): Sightings {
  const hashes: Pick<Indicator, "type" | "value">[] = [];
  const domains: string[] = [];
  const addresses: string[] = [];
  for (const { type, value } of indicators) {
    if (type === "sha256" || type === "md5") add(hashes, { type, value });
    else if (type === "domain") add(domains, value);
    else if (type === "ipv4" || type === "ipv6") add(addresses, value);
  }
  return { hashes, domains, addresses };
}

function add<Item>(list: Item[], item: Item): void {
  if (list.length < sightingCeiling) list.push(item);
}

/** A host, and the time in which its sensor reported, in milliseconds since 1970. */
export interface ReportingHost {
  readonly device_id: string;
  readonly first: number;
  readonly last: number;
}

/** The `index`-th execution of a tenant, on one of its hosts in the month before it was last seen. */
export function seededExecution(
  random: Random,
  index: number,
  hosts: readonly ReportingHost[],
  sightings: Sightings,
): Execution {
  const { device_id, first, last } = hosts[random.below(hosts.length)] as ReportingHost;
  const platform = platformOf(device_id);
  const unwanted = random.chance(6)
    ? sightings.hashes[random.below(sightings.hashes.length)]
    : undefined;
  const [file_name, command_line] =
    unwanted === undefined ? random.pick(programs[platform]) : unwantedRun(random, platform);
  const hashes =
    unwanted === undefined
      ? { sha256: programHash(file_name, 64), md5: programHash(file_name, 32) }
      : { sha256: random.hex(64), md5: random.hex(32), [unwanted.type]: unwanted.value };
  return {
    id: `pid:${device_id}:${100_000_000 + index}`,
    device_id,
    started_on: instant(last - random.below(Math.min(days(30), last - first + 1))),
    file_name,
    command_line,
    user_name: random.pick(accounts[platform]),
    ...hashes,
    domains: met(random, benignDomains, sightings.domains),
    ip_addresses: met(
      random,
      ["198.51.100.10", "198.51.100.20", "2001:db8:ffff::53"],
      sightings.addresses,
    ),
  };
}

function unwantedRun(random: Random, platform: Platform): readonly [string, string] {
  const name = random.pick(unwantedRuns[platform]);
  const user = random.pick(people);
  const home = { Windows: `C:\\Users\\${user}`, Linux: `/home/${user}`, Mac: `/Users/${user}` };
  const separator = platform === "Windows" ? "\\" : "/";
  return [name, [home[platform], "Downloads", name].join(separator)];
}

/** The hash depends only on the name, so that the same program has the same hash on all hosts. */
function programHash(name: string, digits: number): string {
  const bytes = Buffer.from(name.padEnd(32, "~")).toString("hex");
  return bytes.slice(0, digits).padEnd(digits, "0");
}

/** Half of the processes have no connections. Of the others, one in twenty also has a malicious one. */
function met(random: Random, ordinary: readonly string[], bad: readonly string[]): string[] {
  if (random.chance(50)) return [];
  const first = ordinary[random.below(ordinary.length)];
  const worse = random.chance(5) ? bad[random.below(bad.length)] : undefined;
  return [first, worse].filter((value) => value !== undefined);
}
