import type { Problem } from "../../../foundation/errors.ts";
import type { CredentialDetails, RegistryType } from "./registries.ts";

type Member = keyof CredentialDetails;

/** One way to authenticate to a registry. */
export interface SignIn {
  readonly required: readonly Member[];
  readonly optional?: readonly Member[];
  /** Members that must be present together or not at all. */
  readonly together?: readonly Member[];
}

const password: SignIn = { required: ["username", "password"] };

const accessToken: SignIn = {
  required: ["username", "password", "domain_url", "credential_type"],
};

const certificate: SignIn = { required: ["cert", "auth_type", "tenant_id", "client"] };

/** The ways to authenticate to each type of registry. */
const signIns: Readonly<Record<RegistryType, readonly SignIn[]>> = {
  acr: [password, certificate],
  artifactory: [password],
  docker: [password],
  dockerhub: [password],
  ecr: [
    {
      required: ["aws_iam_role", "aws_external_id"],
      optional: ["aws_gov_using_commercial_connection"],
    },
  ],
  gar: [{ required: ["project_id", "scope_name", "service_account_json"] }],
  gcr: [{ required: ["project_id", "service_account_json"] }],
  github: [accessToken],
  gitlab: [accessToken],
  harbor: [password],
  icr: [password],
  mirantis: [password],
  nexus: [password],
  openshift: [password],
  oracle: [{ ...password, together: ["scope_name", "compartment_ids"] }],
  "quay.io": [password],
};

/** Types with public images, which need no credential. */
const publicTypes: readonly RegistryType[] = ["docker", "dockerhub", "quay.io"];

export const needsCredential = (type: RegistryType): boolean => !publicTypes.includes(type);

/** The members of a credential of this type, for messages. */
export const describeCredential = (type: RegistryType): string =>
  signIns[type].map(describe).join(", or ");

const describe = ({ required, optional = [], together = [] }: SignIn): string =>
  [
    required.join(", "),
    ...(optional.length === 0 ? [] : [`optionally ${optional.join(", ")}`]),
    ...(together.length === 0 ? [] : [`either both or neither of ${together.join(" and ")}`]),
  ].join("; ");

/** The problems with the details of a credential of this type. `at`: their place in the request. */
export function credentialProblems(
  type: RegistryType,
  details: CredentialDetails,
  at: string,
): readonly Problem[] {
  const present = membersOf(details);
  const ways = signIns[type];
  const way = closestSignIn(ways, present);
  const { required, optional = [], together = [] } = way;
  const rule = `a credential of type ${type} has ${describeCredential(type)}`;
  const allowedNames = [...required, ...optional, ...together];
  const missing = required.filter((name) => !present.includes(name));
  const half = together.some((name) => present.includes(name))
    ? together.filter((name) => !present.includes(name))
    : [];
  const unused = present.filter((name) => !allowedNames.includes(name));
  return [
    ...missing.map((name) => ({ at: `${at}.${name}`, message: `is missing; ${rule}` })),
    ...half.map((name) => ({ at: `${at}.${name}`, message: `is missing; ${rule}` })),
    ...unused.map((name) => {
      const isOther = ways.some((other) => other.required.includes(name));
      const why = isOther ? `cannot be combined with ${required.join(", ")}` : "is not used";
      return { at: `${at}.${name}`, message: `${why}; ${rule}` };
    }),
    ...contentProblems(details, at),
  ];
}

/** The default of the document counts as absent. */
const membersOf = (details: CredentialDetails): readonly Member[] =>
  (Object.keys(details) as Member[]).filter(
    (name) => name !== "aws_gov_using_commercial_connection" || details[name] === true,
  );

/** The way with the most members present; the first one if several have the same number. */
function closestSignIn(ways: readonly SignIn[], present: readonly Member[]): SignIn {
  const score = ({ required }: SignIn): number =>
    required.filter((name) => present.includes(name)).length;
  const [first = password, ...others] = ways;
  return others.reduce((best, way) => (score(way) > score(best) ? way : best), first);
}

function contentProblems(
  { cert, domain_url, service_account_json }: CredentialDetails,
  at: string,
): readonly Problem[] {
  const domain = domain_url === undefined ? null : URL.parse(domain_url);
  return [
    ...(cert === undefined || isPemInBase64(cert)
      ? []
      : [{ at: `${at}.cert`, message: "expected a certificate with its key, PEM in base64" }]),
    ...(domain === null || (domain.username === "" && domain.password === "")
      ? []
      : [{ at: `${at}.domain_url`, message: "expected a URL without user name and password" }]),
    ...(service_account_json?.private_key.trim() === ""
      ? [{ at: `${at}.service_account_json.private_key`, message: "expected a key in PEM" }]
      : []),
  ];
}

const isPemInBase64 = (text: string): boolean =>
  /^[A-Za-z0-9+/=\s]+$/.test(text) &&
  Buffer.from(text, "base64").toString("latin1").includes("-----BEGIN ");
