import type { Host } from "../inventory/hosts.ts";
import { people, sites } from "./words.ts";

type Members = Partial<Host>;

/** The times of a host. Its other times follow from these. */
export interface HostTimes {
  readonly first_seen: string;
  readonly last_seen: string;
  readonly last_login_timestamp: string;
}

/** The host with other times. */
export const withTimes = (host: Host, times: HostTimes): Host => ({
  ...host,
  ...times,
  last_reboot: [times.first_seen, host.last_reboot ?? ""].toSorted().at(-1) ?? times.first_seen,
  modified_timestamp: times.last_seen,
});

/** The host with the members that its sensor reports besides: those of every platform, and of its own. */
export function withReports(host: Host): Host {
  const { device_id, agent_version = "", first_seen = "", last_seen = "", tags = [] } = host;
  const { site_name, last_reboot = "", product_type_desc, service_provider } = host;
  const ring = tags.find((tag) => tag.startsWith("ring/"))?.slice(5);
  const version = 200 + (Number.parseInt(device_id.slice(2, 6), 16) % 9_000);
  const isInCloud = service_provider !== undefined;
  return {
    ...host,
    agent_local_time: last_seen,
    config_id_base: "65994763",
    config_id_build: agent_version.split(".")[2] ?? "",
    deployment_type: "Standard",
    detection_suppression_status: "unsuppressed",
    host_utc_offset: sites.find(({ name }) => name === site_name)?.offset ?? "+00:00",
    internet_exposure: isInCloud ? "Yes" : "No",
    license_activation_state: "active",
    meta: { version: `${version}`, version_string: `${version}:${device_id.slice(6, 14)}` },
    ...(ring === undefined ? {} : { release_group: ring }),
    slow_changing_modified_timestamp: last_reboot,
    first_login_timestamp: first_seen,
    first_login_user:
      product_type_desc === "Workstation" ? (host.last_login_user ?? "") : "installer",
    ...ofPlatform(host),
  };
}

/** What only the sensor of this platform reports. */
function ofPlatform(host: Host): Members {
  const { platform_name, product_type_desc, last_login_user = "" } = host;
  const processor = {
    cpu_vendor: "0",
    cpu_signature: product_type_desc === "Workstation" ? "657060" : "526072",
  };
  switch (platform_name) {
    case "Windows":
      return {
        ...processor,
        config_id_platform: "3",
        last_login_user_sid: sidOf(last_login_user),
        safe_mode: "no",
      };
    case "Linux":
      return {
        ...processor,
        config_id_platform: "8",
        last_login_uid: last_login_user === "root" ? "0" : "998",
        ...(host.service_provider === undefined
          ? {}
          : { base_image_version: "debian-12-20260210" }),
      };
    // Processors of Apple have neither a signature nor a vendor's number.
    case "Mac":
      return { config_id_platform: "4", last_login_uid: "501" };
    default:
      return {};
  }
}

const firstPersonId = 1_103;

/** The security identifier of an account in the directory. */
export function sidOf(account: string): string {
  const index = (people as readonly string[]).indexOf(account);
  const id = index === -1 ? firstPersonId + people.length : firstPersonId + index;
  return `S-1-5-21-1004336348-1177238915-682003330-${id}`;
}
