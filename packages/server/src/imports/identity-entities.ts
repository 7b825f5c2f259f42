import {
  entities,
  severityOf,
  type Account,
  type Association,
  type Entity,
} from "../domain/identity-protection/entities.ts";
import type { Importer, LineProblem } from "./kind.ts";

type AccountLine = Partial<Account> & Pick<Account, "type">;
type Line = Partial<Omit<Entity, "accounts" | "domains">> &
  Pick<Entity, "entityId" | "type" | "primaryDisplayName"> & {
    readonly accounts?: readonly AccountLine[];
  };

/** Members that only one type of entity has. */
type Kinds<Kind extends string> = Readonly<
  Record<Kind, { readonly needed: readonly string[]; readonly may: readonly string[] }>
>;

const entityKinds: Kinds<Entity["type"]> = {
  USER: { needed: [], may: ["emailAddresses", "phoneNumbers"] },
  ENDPOINT: { needed: [], may: ["hostName", "agentId", "operatingSystem", "lastIpAddress"] },
};

const personal = ["department", "title", "passwordAttributes"];
const accountKinds: Kinds<Account["type"]> = {
  ACTIVE_DIRECTORY: {
    needed: ["domain", "samAccountName"],
    may: ["objectSid", "ou", "expirationTime", "servicePrincipalNames", ...personal],
  },
  SSO: { needed: [], may: ["userName", ...personal] },
  AZURE: {
    needed: [],
    may: [
      "applicationId",
      "servicePrincipalNames",
      "registeredTenantType",
      "appOwnerOrganizationId",
      "publisherDomain",
      "signInAudience",
    ],
  },
  CLOUD: { needed: [], may: ["cloudServiceName", "dataSourceParticipantIdentifier"] },
};

const associationKinds: Kinds<Association["type"]> = {
  ENTITY: { needed: ["entityId"], may: [] },
  LOCAL_ADMIN_LOCAL_USER: { needed: ["accountName"], may: [] },
  LOCAL_ADMIN_DOMAIN_ENTITY: { needed: ["entityId", "entityType"], may: [] },
  GEO_LOCATION: { needed: ["geoLocation"], may: [] },
};

/** Imports users and endpoints of the identity graph, one per line. */
export const identityEntityImporter: Importer<Line, Entity> = {
  resource: entities,
  read: (line) => {
    const { accounts = [], associations = [] } = line;
    const problems = [
      ...misplaced(entityKinds, line, ""),
      ...accounts.flatMap((account, index) =>
        misplaced(accountKinds, account, `accounts[${index}].`),
      ),
      ...associations.flatMap((association, index) =>
        misplaced(associationKinds, association, `associations[${index}].`),
      ),
    ];
    return problems.length > 0 ? { problems } : { record: entityOf(line, accounts.map(accountOf)) };
  },
};

/** Problems with members that the entity's type does not have, or requires. */
function misplaced<Kind extends string>(
  kinds: Kinds<Kind>,
  typed: { readonly type: Kind },
  at: string,
): readonly LineProblem[] {
  const { needed, may } = kinds[typed.type];
  const special = Object.values<Kinds<Kind>[Kind]>(kinds).flatMap((kind) => [
    ...kind.needed,
    ...kind.may,
  ]);
  const own = new Set([...needed, ...may]);
  const lacking = needed.filter((name) => !(name in typed));
  const foreign = [...new Set(special)].filter((name) => name in typed && !own.has(name));
  return [
    ...lacking.map((name) => ({ at: at + name, message: `${typed.type} needs it` })),
    ...foreign.map((name) => ({ at: at + name, message: `${typed.type} does not have it` })),
  ];
}

/** The entity of a line; lines with equal meaning result in equal entities. */
function entityOf(line: Line, accounts: readonly Account[]): Entity {
  const { riskScore = 0, riskFactors = [], roles = [], associations = [] } = line;
  const domains = accounts.flatMap(({ domain }) => domain ?? []);
  const usable = accounts.length === 0 || accounts.some(({ enabled }) => enabled);
  return {
    ...line,
    riskScore,
    riskScoreSeverity: line.riskScoreSeverity ?? severityOf(riskScore),
    riskFactors: riskFactors.toSorted((left, right) => rank[right.severity] - rank[left.severity]),
    roles,
    archived: line.archived ?? false,
    enabled: line.enabled ?? usable,
    learned: line.learned ?? true,
    watched: line.watched ?? false,
    accounts,
    associations,
    ...(line.type === "USER"
      ? { emailAddresses: line.emailAddresses ?? [], phoneNumbers: line.phoneNumbers ?? [] }
      : {}),
    domains: [...new Set(domains)],
  };
}

const rank = { NORMAL: 0, LOW: 1, MEDIUM: 2, HIGH: 3 } as const;

function accountOf(line: AccountLine): Account {
  const { type } = line;
  const names = accountKinds[type].may.includes("servicePrincipalNames");
  return {
    ...line,
    dataSource: line.dataSource ?? type,
    enabled: line.enabled ?? true,
    ...(names ? { servicePrincipalNames: line.servicePrincipalNames ?? [] } : {}),
  };
}
