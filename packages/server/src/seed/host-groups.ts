import { hostGroup, type HostGroup } from "../inventory/host-groups.ts";
import type { Host } from "../inventory/hosts.ts";
import { days, instant } from "./instants.ts";
import { knownGroups } from "./known.ts";
import type { KnownId } from "./known-ids.ts";
import type { Random } from "./random.ts";
import { siteAt } from "./words.ts";

/** Hosts that static groups list. */
export interface NamedHosts {
  readonly domainControllers: readonly string[];
  readonly executives: readonly string[];
}

/** Maximum length of a static group in a world. */
const namedCeiling = 200;

export function namedHosts(hosts: Iterable<Host>): NamedHosts {
  const domainControllers: string[] = [];
  const executives: string[] = [];
  for (const { device_id, hostname = "", product_type_desc, ou = [] } of hosts) {
    if (product_type_desc === "Domain Controller") domainControllers.push(device_id);
    if (ou.includes("Executives")) executives.push(hostname);
  }
  return {
    domainControllers: domainControllers.slice(0, namedCeiling),
    executives: executives.slice(0, namedCeiling),
  };
}

type Rule = readonly [name: string, description: string, rule: string];

/** Indicators refer to the first groups. */
const rules = (base: number): readonly Rule[] => [
  [
    "Windows workstations",
    "Laptops and desktops",
    "platform_name:'Windows'+product_type_desc:'Workstation'",
  ],
  ["Servers", "Everything that serves", "product_type_desc:['Server','Domain Controller']"],
  ["Macs", "", "platform_name:'Mac'"],
  ["Linux", "", "platform_name:'Linux'"],
  ["Pilot ring", "Gets changes first", "tags:'ring/pilot'"],
  ["Early ring", "Gets changes after the pilot ring", "tags:'ring/early'"],
  ["Cloud", "Instances at a cloud provider", "service_provider:!null"],
  ["Contained", "Hosts that may talk to the platform only", "status:'contained'"],
  ["Outdated sensors", "To be updated", "agent_version:['7.16.18008.0','7.18.18610.0']"],
  ["New hosts", "First seen in the last quarter", `first_seen:>='${instant(base - days(90))}'`],
];

/** Number of groups for a number of sites. */
export const hostGroupCount = (siteCount: number): number => rules(0).length + 5 + siteCount;

/** The ids of the groups that indicators refer to. `random`: the sequence of the groups. */
export const namedGroupIds = (random: Random): readonly [string, ...string[]] => [
  random.hex(32),
  random.hex(32),
  random.hex(32),
  random.hex(32),
];

/** What the groups of a tenant depend on. */
export interface GroupFacts {
  readonly base: number;
  /** Number of sites. */
  readonly siteCount: number;
  /** The first of its sites in the list of all. */
  readonly siteOffset: number;
  readonly named: NamedHosts;
  /** Host names of the kiosks. */
  readonly kiosks: readonly string[];
  /** E-mail address of the user who created the groups. */
  readonly author: string;
  readonly known: KnownId;
}

/** The host groups of a tenant: one for each site, and every type of group. */
export function seededHostGroups(
  random: Random,
  { base, siteCount, siteOffset, named, kiosks, author, known }: GroupFacts,
): readonly HostGroup[] {
  const createdAt = instant(base - days(360));
  const group = (
    name: string,
    description: string,
    members: Pick<HostGroup, "group_type"> & Partial<HostGroup>,
  ): HostGroup =>
    hostGroup({
      id: random.hex(32),
      name,
      description,
      created_by: author,
      created_timestamp: createdAt,
      modified_by: author,
      modified_timestamp: createdAt,
      ...members,
    });
  return [
    ...rules(base).map(([name, description, assignment_rule]) =>
      group(name, description, { group_type: "dynamic", assignment_rule }),
    ),
    group("Domain controllers", "Kept by hand", {
      group_type: "staticByID",
      device_ids: named.domainControllers,
    }),
    group("Executives", "Machines of the board, by name", {
      group_type: "static",
      hostnames: named.executives,
    }),
    ...Array.from({ length: siteCount }, (_, index) => siteAt(siteOffset + index)).map(({ name }) =>
      group(`Site ${name}`, "", {
        group_type: "dynamic",
        assignment_rule: `site_name:'${name}'`,
      }),
    ),
    group("Finance workstations", "Workstations of the finance department", {
      id: known(knownGroups.finance),
      group_type: "dynamic",
      assignment_rule: "platform_name:'Windows'+tags:'finance'",
    }),
    group("Old laptops", "To be collected", {
      id: known(knownGroups.old),
      group_type: "dynamic",
      assignment_rule: `platform_name:'Windows'+os_version:'Windows 10'+first_seen:<'${instant(base - days(300))}'`,
    }),
    group("Kiosks", "", {
      id: known(knownGroups.kiosks),
      group_type: "static",
      hostnames: kiosks,
    }),
  ];
}
