import type { Host } from "../inventory/hosts.ts";
import {
  domainController,
  linuxServers,
  macWorkstations,
  windowsServers,
  windowsWorkstations,
  type HostProfile,
} from "./host-profiles.ts";
import { days, instant } from "./instants.ts";
import type { Random } from "./random.ts";
import { departments, people, siteAt } from "./words.ts";

/** Facts that all hosts of a tenant share. */
export interface HostPlace {
  readonly cid: string;
  /** The tenant's name in host names and the domain. */
  readonly label: string;
  /** Number of sites. */
  readonly sites: number;
  /** The first of its sites in the list of all. */
  readonly siteOffset: number;
  readonly base: number;
  /** The minute in which the world is generated. */
  readonly now: number;
}

const agents = ["7.20.19308.0", "7.19.18912.0", "7.18.18610.0", "7.16.18008.0"] as const;
const rings = ["pilot", "early", "broad", "broad", "broad"] as const;

export type Platform = NonNullable<Host["platform_name"]>;

/**
 * Derived from the id, so that executions can fit the host: two thirds Windows, the rest evenly.
 */
export function platformOf(deviceId: string): Platform {
  const share = Number.parseInt(deviceId.slice(0, 2), 16);
  if (share < 170) return "Windows";
  return share < 213 ? "Linux" : "Mac";
}

/** The `index`-th host of a tenant. Its groups are computed when it is stored. */
export function seededHost(
  random: Random,
  index: number,
  device_id: string,
  { cid, label, sites: siteCount, siteOffset, base, now }: HostPlace,
): Host {
  const profile = profileOf(random, platformOf(device_id), index);
  const siteNumber = siteOffset + (index % siteCount);
  const site = siteAt(siteNumber);
  const [system_manufacturer, system_product_name, bios_version] = random.pick(profile.hardware);
  const firstSeen = base - days(1 + random.below(400)) + random.below(days(1));
  const away = random.chance(12);
  const drawn = away ? base - days(2 + random.below(60)) : now - random.below(2 * 3_600_000);
  const lastSeen = Math.max(drawn, firstSeen);
  const reboot = Math.max(lastSeen - random.below(days(30)), firstSeen);
  const login = Math.max(lastSeen - random.below(days(3)), firstSeen);
  const department = random.pick(departments);
  const isServer = profile.unit !== "Workstations";
  const local = addressOf(siteNumber, index);
  const mac = macOf(index);
  return {
    ...profile.members,
    cid,
    device_id,
    hostname: `${site.code}-${profile.code}-${index.toString().padStart(5, "0")}`,
    platform_name: profile.platform,
    agent_load_flags: profile.platform === "Windows" ? "1" : "0",
    agent_version: agents[Math.min(random.below(6), random.below(4))] ?? agents[0],
    bios_manufacturer: system_manufacturer,
    bios_version,
    system_manufacturer,
    system_product_name,
    serial_number: `${system_manufacturer.slice(0, 2).toUpperCase()}${random.hex(8).toUpperCase()}`,
    machine_domain: `${label}.example`,
    site_name: site.name,
    ou: [site.name, ...(isServer ? [profile.unit] : [profile.unit, department])],
    tags: [`ring/${random.pick(rings)}`, isServer ? "tier/production" : `department/${department}`],
    local_ip: local,
    connection_ip: local,
    default_gateway_ip: local.replace(/\.\d+$/, ".1"),
    external_ip: `198.51.100.${10 + siteNumber}`,
    mac_address: mac,
    connection_mac_address: mac,
    first_seen: instant(firstSeen),
    last_seen: instant(lastSeen),
    last_reboot: instant(reboot),
    last_login_timestamp: instant(login),
    last_login_user: isServer ? "svc-backup" : random.pick(people),
    modified_timestamp: instant(lastSeen),
    status: random.chance(2) ? "contained" : "normal",
    filesystem_containment_status: "normal",
    reduced_functionality_mode: random.chance(3) ? "yes" : "no",
    provision_status: "Provisioned",
    rtr_state: "enabled",
    host_hidden_status: "visible",
    ...(profile.code === "EC2"
      ? {
          instance_id: `i-${random.hex(16)}`,
          service_provider_account_id: "123456789012",
          zone_group: "eu-central-1a",
        }
      : {}),
  };
}

function profileOf(random: Random, platform: Platform, index: number): HostProfile {
  if (platform === "Mac") return random.pick(macWorkstations);
  if (platform === "Linux") return random.pick(linuxServers);
  const kind = random.below(100);
  // The first Windows hosts are domain controllers, and the next ones workstations.
  if (kind < 2 || index < 3) return domainController;
  return random.pick(kind < 20 && index > 5 ? windowsServers : windowsWorkstations);
}

/** A private address, unique within the tenant; 250 hosts a network. */
function addressOf(site: number, index: number): string {
  const network = Math.floor(index / 250);
  return `10.${(site * 8 + (network >> 8)) & 255}.${network & 255}.${2 + (index % 250)}`;
}

/** Locally administered. */
function macOf(index: number): string {
  const digits = index.toString(16).padStart(10, "0").toUpperCase();
  return `02-${(digits.match(/../g) ?? []).join("-")}`;
}
