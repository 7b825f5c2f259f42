import type { Host } from "../inventory/hosts.ts";

/**
 * Identifiers and names of the records that the examples of the document show. The main tenant of the world `small` with
 * the seed 1 has exactly these; the story of any other tenant has the same records under other identifiers.
 */

export const knownTenants = {
  main: "5e1f8a2c7b3d49608c4e9f0a1b2d3c4e",
  child: "3d9a0e7b5c1f4a268e4d7b6a5c8f9012",
  partner: "2c4e6a8b0d1f43759e7c5b3a19283746",
} as const;

/** The API client that makes the calls of a story without a person. */
export const knownClient = {
  id: "c0ffee5e4d3c4b2a9180f7e6d5c4b3a2",
  name: "Response automation",
} as const;

/** A client that only reads. A story adds it last, so that it also says that the story is complete. */
export const knownReader = {
  id: "a4d6f8b0c2e1437f95b7d9f0e1a3c528",
  name: "Weekly report",
} as const;

/** Users of a tenant by their part. */
export const knownPeople = {
  administrator: {
    uuid: "5b0f7c1e-8a4d-4c52-9e37-2d6a1f0b8c93",
    first_name: "Mara",
    last_name: "Lindqvist",
  },
  analyst: {
    uuid: "c2e94d07-13b6-4f8a-b5d1-7a90e6c3f248",
    first_name: "Tomas",
    last_name: "Okafor",
  },
  responder: {
    uuid: "e3c0a1b2-7d4f-4a58-9c6e-1b2d3f4a5c6e",
    first_name: "Noor",
    last_name: "Hassan",
  },
  newcomer: {
    uuid: "7a9d2f40-6c1b-4e85-9d37-b4f0c8e2a615",
    first_name: "Jonas",
    last_name: "Berger",
  },
  "night shift": {
    uuid: "1f6b8d3c-92e7-4a05-8b4c-d7e0a5f31629",
    first_name: "Lena",
    last_name: "Virtanen",
  },
} as const;

/** A user of another organisation who has accepted an invitation. */
export const knownGuest = {
  uuid: "8d31f6a2-5c7e-49b0-a4f8-1e6b9d2c0a75",
  first_name: "Ines",
  last_name: "Duarte",
} as const;

export const knownInvitation = "f17a3c58-2b9d-4e60-8c41-90d5e7b6a321";
export const knownUserGroup = "4a1f0c7be2d94b6f8c35d7e09a1b2c3d";
export const knownTenantGroup = "b6e2d1c04f7a4e939a58c7d0e1f2a3b4";
export const knownSecondUserGroup = "96b8d0f2e4a64c178e9f0b1d2c3a4f50";
export const knownSecondTenantGroup = "d2f4a6b8c0e1435f9d7b5a3c1e0f2846";

export const knownGroups = {
  finance: "7d0c4a9be1f24c36a58b9d1e2f304152",
  kiosks: "2f8b1d0c9e7a4f63b5d4c3e2a1f09876",
  old: "a0c2e4f6b8d14f739b5d7f9a1c3e5072",
} as const;

interface KnownHost {
  readonly id: string;
  readonly members: Partial<Host>;
}

/** The index of the workstation on which the incident of a story began. */
export const knownWorkstation = 3;

const finance = { tags: ["finance", "ring/broad"], ou: ["Hamburg", "Workstations", "Finance"] };

/** The first domain controller. */
export const knownController = "6f1e2d3c4b5a49687f8e9d0c1b2a3948";

/** Hosts by their index in the tenant. The first two digits of an identifier decide the platform. */
export const knownHosts: ReadonlyMap<number, KnownHost> = new Map([
  [0, { id: knownController, members: { hostname: "DC-01" } }],
  [
    knownWorkstation,
    {
      id: "0d9c1b7e4f3a4c58a6e2b1d0c9f8e7a6",
      members: {
        ...finance,
        hostname: "FIN-WS-014",
        local_ip: "10.20.4.31",
        connection_ip: "10.20.4.31",
        default_gateway_ip: "10.20.4.1",
        external_ip: "203.0.113.20",
        last_login_user: "b.olsen",
      },
    },
  ],
  [
    4,
    {
      id: "4b8e2f6a1c9d4e07b3a5d7f9e1c2b4a6",
      members: { ...finance, hostname: "FIN-WS-022", last_login_user: "h.weber" },
    },
  ],
  [
    5,
    {
      id: "8e1f0a7c6b5d4e39a2c1d0b9f8e7d6c5",
      members: { hostname: "KIOSK-01", tags: ["kiosk", "ring/broad"] },
    },
  ],
  [6, { id: "c7a1e5d3f9b84260a8c6e4d2b0f1a3c5", members: { hostname: "BUILD-LNX-03" } }],
]);

/** Identities: an administrator, and the first domain controller. */
export const knownEntities = {
  administrator: "d4b7a1c0-52e6-4f38-9a0d-7c1e5b2f8a64",
  controller: "27c0e5a9-6d1b-4b83-8f24-0e9d3a6c7b15",
} as const;

interface KnownImage {
  readonly scan: string;
  /** Of its layer, file system, configuration and manifest. */
  readonly hashes: readonly string[];
}

/** Images by their index: the one of the story, and one that nobody misses. */
export const knownImages: ReadonlyMap<number, KnownImage> = new Map([
  [
    0,
    {
      scan: "9c1e4b7a-6f20-4d83-b5a9-0e7d2c8f1a46",
      hashes: [
        "5a7e3c1f9b2d48607e4f1a9c3d5b7e8f0a2c4d6e8f1b3a5c7d9e0f2a4b6c8d1e",
        "c3f9a1e7b5d2486094e7f1a3c5b8d0e2f4a6c8e0b2d4f6a8c0e2b4d6f8a0c2e4",
        "2f9c4e1b7d8a06f35c2e9b4d1a70f86e3b5d9c2a4f17e08d6b3c5a9e1f420d7b",
        "81d5f0c3a9e7246bb8d1f4a27c60e395d2b8f7a1c4e06953b7d2a8f1e0c4936d",
      ],
    },
  ],
  [
    8,
    {
      scan: "d3b5f7a9-1c0e-4f82-96b4-8a0c2e4f6d15",
      hashes: [
        "7b9d1f3a5c0e426884a6c8e0b2d4f61933557799bbddff0022446688aaccee13",
        "e4a6c8f0b2d1437596b8dafc1e3052749698badcfe1032547698badcfe103257",
        "6c8e0a2b4d1f437593b5d7f9a1c3e5072946b8daf0c2e4a6183a5c7e90b2d4f6",
        "f0d2b4c6a8e1537294a6b8c0d2e4f60718293a4b5c6d7e8f90a1b2c3d4e5f607",
      ],
    },
  ],
]);
