import type { Resource } from "../../store/index.ts";

export const severities = ["NORMAL", "LOW", "MEDIUM", "HIGH"] as const;
export type Severity = (typeof severities)[number];

/**
 * Members that only some kinds of account have are optional. The import schema and the GraphQL schema
 * specify which.
 */
export interface Account {
  readonly type: "ACTIVE_DIRECTORY" | "SSO" | "AZURE" | "CLOUD";
  readonly dataSource: string;
  readonly enabled: boolean;
  readonly creationTime?: string;
  readonly mostRecentActivity?: string;
  readonly domain?: string;
  readonly samAccountName?: string;
  readonly objectSid?: string;
  readonly ou?: string;
  readonly expirationTime?: string;
  readonly servicePrincipalNames?: readonly string[];
  readonly department?: string;
  readonly title?: string;
  readonly passwordAttributes?: PasswordAttributes;
  readonly userName?: string;
  readonly applicationId?: string;
  readonly registeredTenantType?: string;
  readonly appOwnerOrganizationId?: string;
  readonly publisherDomain?: string;
  readonly signInAudience?: string;
  readonly cloudServiceName?: string;
  readonly dataSourceParticipantIdentifier?: string;
}

export interface PasswordAttributes {
  readonly lastChange?: string;
  readonly strength?: "WEAK" | "MEDIUM" | "STRONG";
  readonly exposed?: boolean;
}

export interface GeoLocation {
  readonly country?: string;
  readonly countryCode: string;
  readonly city?: string;
  readonly cityCode?: string;
  /** Degrees. */
  readonly latitude?: number;
  readonly longitude?: number;
}

export interface Association {
  readonly type: "ENTITY" | "LOCAL_ADMIN_LOCAL_USER" | "LOCAL_ADMIN_DOMAIN_ENTITY" | "GEO_LOCATION";
  readonly bindingType: "OWNERSHIP" | "LOGON" | "LOCAL_ADMINISTRATOR" | "LOCATION";
  readonly entityId?: string;
  readonly entityType?: Entity["type"];
  readonly accountName?: string;
  readonly geoLocation?: GeoLocation;
}

/** A user or an endpoint; each type has members of its own. */
export interface Entity {
  readonly entityId: string;
  readonly type: "USER" | "ENDPOINT";
  readonly primaryDisplayName: string;
  readonly secondaryDisplayName?: string;
  readonly riskScore: number;
  readonly riskScoreSeverity: Severity;
  readonly riskFactors: readonly { readonly type: string; readonly severity: Severity }[];
  readonly roles: readonly string[];
  readonly archived: boolean;
  readonly enabled: boolean;
  readonly learned: boolean;
  readonly watched: boolean;
  readonly creationTime?: string;
  readonly mostRecentActivity?: string;
  readonly accounts: readonly Account[];
  readonly associations: readonly Association[];
  readonly emailAddresses?: readonly string[];
  readonly phoneNumbers?: readonly string[];
  readonly hostName?: string;
  readonly agentId?: string;
  readonly operatingSystem?: string;
  readonly lastIpAddress?: string;
  /** The domains of the accounts. */
  readonly domains: readonly string[];
}

/** Users and endpoints of the identity graph. Imports create them; only GraphQL serves them. */
export const entities: Resource<Entity> = {
  name: "identity_entities",
  collection: "identity_protection",
  fields: {
    entityId: { type: "string", sortable: true },
    type: { type: "string" },
    primaryDisplayName: { type: "string", sortable: true, match: "glob", case: "insensitive" },
    secondaryDisplayName: {
      type: "string",
      sortable: true,
      match: "glob",
      case: "insensitive",
      nullable: true,
    },
    riskScore: { type: "number", sortable: true },
    riskScoreSeverity: { type: "string" },
    roles: { type: "string", array: true },
    archived: { type: "boolean" },
    enabled: { type: "boolean" },
    learned: { type: "boolean" },
    domains: { type: "string", array: true, case: "insensitive" },
    emailAddresses: { type: "string", array: true, case: "insensitive" },
    lastIpAddress: { type: "string", case: "insensitive", nullable: true },
    mostRecentActivity: { type: "timestamp", sortable: true, nullable: true },
  },
  id: "entityId",
  indexes: [
    "entityId",
    "primaryDisplayName",
    "secondaryDisplayName",
    "riskScore",
    "mostRecentActivity",
    "lastIpAddress",
  ],
};

/** The severity that corresponds to a risk score. */
export function severityOf(score: number): Severity {
  if (score >= 0.7) return "HIGH";
  if (score >= 0.4) return "MEDIUM";
  return score >= 0.1 ? "LOW" : "NORMAL";
}
