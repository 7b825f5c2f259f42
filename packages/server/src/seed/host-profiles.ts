import type { Host } from "../inventory/hosts.ts";

/** A kind of machine with its operating system, with consistent members. */
export interface HostProfile {
  readonly platform: NonNullable<Host["platform_name"]>;
  /** Part of the host names, and the organisational unit. */
  readonly code: "WS" | "MB" | "SRV" | "DC" | "LNX" | "EC2";
  readonly unit: string;
  readonly members: Partial<Host>;
  /** Manufacturer, product, firmware; a host has one entry. */
  readonly hardware: readonly [Hardware, ...Hardware[]];
}

type Hardware = readonly [manufacturer: string, product: string, firmware: string];

const laptops = [
  ["Dell Inc.", "Latitude 7450", "1.9.1"],
  ["LENOVO", "ThinkPad T14 Gen 5", "R2LET32W"],
  ["HP", "EliteBook 840 G11", "W70 Ver. 01.04.02"],
] as const satisfies readonly Hardware[];
const servers = [
  ["Dell Inc.", "PowerEdge R760", "2.3.5"],
  ["HPE", "ProLiant DL380 Gen11", "U54"],
  ["VMware, Inc.", "VMware20,1", "VMW201.00V"],
] as const satisfies readonly Hardware[];
const macs = [
  ["Apple Inc.", "Mac15,6", "11881.61.3"],
  ["Apple Inc.", "Mac14,2", "11881.61.3"],
] as const satisfies readonly Hardware[];
const instances = [["Amazon EC2", "m7i.large", "1.0"]] as const satisfies readonly Hardware[];

const laptop = {
  chassis_type: "10",
  chassis_type_desc: "Notebook",
  product_type: "1",
  product_type_desc: "Workstation",
};
const server = {
  chassis_type: "23",
  chassis_type_desc: "Rack Mount Chassis",
  product_type: "3",
  product_type_desc: "Server",
};

function windows(build: string, name: string): Partial<Host> {
  return {
    platform_id: "0",
    major_version: "10",
    minor_version: "0",
    build_number: build,
    os_build: build,
    os_version: name,
    kernel_version: `10.0.${build}.2314`,
    pointer_size: "8",
    service_pack_major: "0",
    service_pack_minor: "0",
  };
}

const mac = (major: string, name: string, build: string): Partial<Host> => ({
  platform_id: "1",
  major_version: major,
  minor_version: "1",
  os_build: build,
  os_version: name,
  os_product_name: `macOS ${name}`,
  kernel_version: `${major}.1.0`,
  pointer_size: "8",
});

const linux = (name: string, kernel: string): Partial<Host> => ({
  platform_id: "3",
  major_version: kernel.split(".")[0] ?? "6",
  minor_version: kernel.split(".")[1] ?? "1",
  os_version: name,
  os_product_name: name,
  kernel_version: kernel,
  linux_sensor_mode: "Kernel Mode",
  pointer_size: "8",
});

export const windowsWorkstations: readonly [HostProfile, ...HostProfile[]] = [
  {
    platform: "Windows",
    code: "WS",
    unit: "Workstations",
    members: {
      ...windows("26100", "Windows 11"),
      ...laptop,
      os_product_name: "Windows 11 Enterprise",
    },
    hardware: laptops,
  },
  {
    platform: "Windows",
    code: "WS",
    unit: "Workstations",
    members: {
      ...windows("19045", "Windows 10"),
      ...laptop,
      os_product_name: "Windows 10 Enterprise",
    },
    hardware: laptops,
  },
];

export const windowsServers: readonly [HostProfile, ...HostProfile[]] = [
  {
    platform: "Windows",
    code: "SRV",
    unit: "Servers",
    members: {
      ...windows("20348", "Windows Server 2022"),
      ...server,
      os_product_name: "Windows Server 2022 Standard",
    },
    hardware: servers,
  },
  {
    platform: "Windows",
    code: "SRV",
    unit: "Servers",
    members: {
      ...windows("17763", "Windows Server 2019"),
      ...server,
      os_product_name: "Windows Server 2019 Standard",
    },
    hardware: servers,
  },
];

export const domainController: HostProfile = {
  platform: "Windows",
  code: "DC",
  unit: "Domain Controllers",
  members: {
    ...windows("20348", "Windows Server 2022"),
    ...server,
    product_type: "2",
    product_type_desc: "Domain Controller",
    os_product_name: "Windows Server 2022 Standard",
    criticality: "critical",
  },
  hardware: servers,
};

export const macWorkstations: readonly [HostProfile, ...HostProfile[]] = [
  {
    platform: "Mac",
    code: "MB",
    unit: "Workstations",
    members: { ...mac("24", "Sequoia (15)", "24G222"), ...laptop },
    hardware: macs,
  },
  {
    platform: "Mac",
    code: "MB",
    unit: "Workstations",
    members: { ...mac("23", "Sonoma (14)", "23J30"), ...laptop },
    hardware: macs,
  },
];

export const linuxServers: readonly [HostProfile, ...HostProfile[]] = [
  {
    platform: "Linux",
    code: "LNX",
    unit: "Servers",
    members: { ...linux("Ubuntu 24.04", "6.8.0-45-generic"), ...server },
    hardware: servers,
  },
  {
    platform: "Linux",
    code: "LNX",
    unit: "Servers",
    members: { ...linux("RHEL 9.4", "5.14.0-427.37.1.el9_4.x86_64"), ...server },
    hardware: servers,
  },
  {
    platform: "Linux",
    code: "EC2",
    unit: "Cloud",
    members: {
      ...linux("Debian GNU 12", "6.1.0-26-cloud-amd64"),
      chassis_type: "1",
      chassis_type_desc: "Other",
      product_type: "3",
      product_type_desc: "Server",
      linux_sensor_mode: "User Mode",
      service_provider: "AWS_EC2_V2",
    },
    hardware: instances,
  },
];
