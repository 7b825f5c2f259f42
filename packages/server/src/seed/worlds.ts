import { knownTenants } from "./known.ts";

/** The definition of a world. Parents come before their children. */
export interface TenantPlan {
  readonly name: string;
  /** Index of the parent in the list; null: none. */
  readonly parent: number | null;
  readonly indicators: number;
  /** Number of indicators that are deleted again. */
  readonly deleted: number;
  readonly hosts: number;
  /** Number of sites of hosts. */
  readonly sites: number;
  readonly executions: number;
  readonly cases: number;
  /** Number of scanned images. */
  readonly images: number;
  /** Whether people and a client have worked in it, so that every list has records. */
  readonly story: boolean;
  /** The identifier in the examples of the document. */
  readonly knownCid?: string;
}

export interface WorldPlan {
  readonly tenants: readonly TenantPlan[];
  /** Index of the tenant that a newcomer should look at first. */
  readonly main: number;
  /** Whether its tenants have files to download. */
  readonly downloads: boolean;
}

export const worlds = ["small", "mssp", "large"] as const;
export type World = (typeof worlds)[number];

const customers = [
  { name: "Alder Foods", indicators: 100, hosts: 30, sites: 3, executions: 1_000, cases: 12 },
  { name: "Birch Logistics", indicators: 85, hosts: 24, sites: 4, executions: 800, cases: 9 },
  { name: "Cypress Clinics", indicators: 120, hosts: 38, sites: 3, executions: 1_300, cases: 16 },
  { name: "Elm Energy", indicators: 90, hosts: 26, sites: 2, executions: 850, cases: 10 },
  { name: "Fir Finance", indicators: 105, hosts: 32, sites: 3, executions: 1_050, cases: 13 },
];

/** A second tree of tenants, whose users are external to the other tenants. */
const partner: TenantPlan = {
  name: "Quay Partners",
  parent: null,
  indicators: 0,
  deleted: 0,
  hosts: 0,
  sites: 1,
  executions: 0,
  cases: 0,
  images: 0,
  story: false,
  knownCid: knownTenants.partner,
};

export const worldPlans: Readonly<Record<World, WorldPlan>> = {
  small: {
    main: 1,
    downloads: true,
    tenants: [
      {
        name: "Harbour Group",
        parent: null,
        indicators: 50,
        deleted: 2,
        hosts: 5,
        sites: 1,
        executions: 100,
        cases: 3,
        images: 2,
        story: false,
      },
      {
        name: "Harbour Demo",
        parent: 0,
        indicators: 140,
        deleted: 6,
        hosts: 40,
        sites: 3,
        executions: 2_000,
        cases: 24,
        images: 9,
        story: true,
        knownCid: knownTenants.main,
      },
      {
        name: "Harbour Branch",
        parent: 1,
        indicators: 20,
        deleted: 1,
        hosts: 5,
        sites: 1,
        executions: 100,
        cases: 2,
        images: 2,
        story: false,
        knownCid: knownTenants.child,
      },
      partner,
    ],
  },
  mssp: {
    main: 0,
    downloads: true,
    tenants: [
      {
        name: "Watchtower",
        parent: null,
        indicators: 200,
        deleted: 5,
        hosts: 10,
        sites: 1,
        executions: 500,
        cases: 0,
        images: 0,
        story: true,
      },
      ...customers.map((customer) => ({
        ...customer,
        parent: 0,
        deleted: 4,
        images: 9,
        story: true,
      })),
      partner,
    ],
  },
  large: {
    main: 0,
    downloads: false,
    tenants: [
      {
        name: "Continental",
        parent: null,
        indicators: 1_000_000,
        deleted: 100,
        hosts: 100_000,
        sites: 24,
        executions: 200_000,
        cases: 10_000,
        images: 9,
        story: false,
      },
    ],
  },
};
