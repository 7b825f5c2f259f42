import { servedDocument, type components } from "@security-platform/spec";

type Schemas = components["schemas"];
export type Role = Schemas["Role"];
export type ActionName = Schemas["AllowedActionName"];

/** A role and what it allows its holders. */
export interface RoleDefinition {
  readonly role: Role;
  /** Scopes of the document. */
  readonly permissions: ReadonlySet<string>;
  readonly actions: ReadonlySet<ActionName>;
}

/** All scopes that operations require. */
export const everyScope: readonly string[] = [
  ...new Set(servedDocument().operations.flatMap(({ scope }) => scope ?? [])),
];

/** All scopes that read the platform's data, except those for users. */
const everyRead = everyScope.filter(
  (scope) => scope.endsWith(":read") && !scope.startsWith("user-management:"),
);

/** All actions on users. */
export const everyAction: readonly ActionName[] = [
  "create_user",
  "update_user",
  "delete_user",
  "grant_role",
  "revoke_role",
  "reset_2fa",
  "reset_password",
];

const readAndWrite = (...collections: readonly string[]): readonly string[] =>
  collections.flatMap((collection) => [`${collection}:read`, `${collection}:write`]);

function role(
  id: string,
  display_name: string,
  description: string,
  permissions: readonly string[],
  actions: readonly ActionName[] = [],
): RoleDefinition {
  return {
    role: { id, display_name, description, is_global: true, type: "default" },
    permissions: new Set(permissions),
    actions: new Set(actions),
  };
}

const images = readAndWrite("container-image", "container-cli");
const imageReads = ["container-image:read", "container-cli:read"];
const caseWork = readAndWrite("cases");

/** The roles that every tenant has, in the order of their identifiers. */
export const roleDefinitions: readonly RoleDefinition[] = [
  role(
    "falconhost_admin",
    "Falcon Administrator",
    "Has full access to the tenant, including users and their roles.",
    everyScope,
    everyAction,
  ),
  role(
    "falconhost_analyst",
    "Falcon Analyst",
    "Sees and works on detections, and reads policies.",
    [...everyRead, ...caseWork],
  ),
  role(
    "falconhost_investigator",
    "Falcon Investigator",
    "Investigates detections across hosts, identities and cases, and documents the findings.",
    [
      ...caseWork,
      "ioc-management:read",
      "ioa-exclusions:read",
      "identity-protection-entities:read",
      "case-templates:read",
    ],
  ),
  role(
    "falconhost_read_only",
    "Falcon Analyst - Read Only",
    "Has the read access of an analyst, without changes.",
    everyRead,
  ),
  role(
    "security_lead",
    "Falcon Security Lead",
    "Leads analysts: reads everything including users, and manages indicators, exclusions and cases.",
    [
      ...everyRead,
      "user-management:read",
      ...readAndWrite("ioc-management", "ioa-exclusions", "cases", "case-templates"),
      "identity-protection-policy-rules:write",
    ],
  ),
  role(
    "falcon_console_guest",
    "Falcon Console Guest",
    "Can sign in. Other roles give access to data.",
    [],
  ),
  role("event_viewer", "Event Viewer", "Sees cases and the events in them.", ["cases:read"]),
  role(
    "help_desk",
    "Help Desk",
    "Resets passwords and second factors of users.",
    readAndWrite("user-management"),
    ["reset_2fa", "reset_password"],
  ),
  role(
    "desktop_support",
    "Desktop Support",
    "Reads the policies and exclusions that apply to a desktop.",
    ["prevention-policies:read", "ioa-exclusions:read"],
  ),
  role(
    "dashboard_admin",
    "Dashboard Admin",
    "Creates dashboards for the tenant, and reads their data.",
    everyRead,
  ),
  role(
    "billing_dashboard_admin",
    "Billing Dashboard Admin",
    "Reads licences and usage. No operation of this API requires it.",
    [],
  ),
  role(
    "endpoint_manager",
    "Endpoint Manager",
    "Manages sensors: their policies, exclusions and downloads.",
    [
      ...readAndWrite("prevention-policies", "ioa-exclusions"),
      "cloud-security-tools-download:read",
    ],
  ),
  role(
    "device_control_manager",
    "Device Control Manager",
    "Manages device control, as part of data protection.",
    readAndWrite("data-protection"),
  ),
  role("firewall_manager", "Firewall Manager", "Manages firewall rules, and reads policies.", [
    "prevention-policies:read",
  ]),
  role("fim_manager", "File Integrity Manager", "Manages watched files, and reads policies.", [
    "prevention-policies:read",
  ]),
  role(
    "prevention_policy_manager",
    "Prevention Policy Manager",
    "Creates, changes and orders prevention policies.",
    readAndWrite("prevention-policies"),
  ),
  role(
    "prevention_hashes_manager",
    "Prevention Hashes Manager",
    "Manages indicators: hashes, domains and IP addresses to allow or block.",
    readAndWrite("ioc-management"),
  ),
  role(
    "quarantine_manager",
    "Quarantine Manager",
    "Manages quarantined files, and reads indicators and cases.",
    ["ioc-management:read", "cases:read"],
  ),
  role(
    "remediation_manager",
    "Remediation Manager",
    "Works on cases until their findings are remediated.",
    caseWork,
  ),
  role(
    "response_workflow_author",
    "Workflow Author",
    "Manages automation: case templates, their goals and notifications.",
    [...readAndWrite("case-templates"), "cases:read"],
  ),
  role(
    "custom_ioas_manager",
    "Custom IOAs Manager",
    "Manages exclusions from indicators of attack.",
    readAndWrite("ioa-exclusions"),
  ),
  role(
    "scheduled_report_admin",
    "Scheduled Reports Admin",
    "Schedules reports and exports of the whole tenant.",
    [...everyRead, "container-image:write"],
  ),
  role(
    "scheduled_report_analyst",
    "Scheduled Reports Analyst",
    "Reads the reports and exports that others scheduled.",
    ["container-image:read"],
  ),
  role(
    "vulnerability_manager",
    "Vulnerability Manager",
    "Reads vulnerabilities of images, and scans images.",
    [...images, "infrastructure-as-code:read"],
  ),
  role("discover_analyst", "Discover Analyst", "Reads hosts and identities.", [
    "identity-protection-entities:read",
  ]),
  role(
    "mobile_admin",
    "Mobile Administrator",
    "Manages mobile devices, and reads their policies.",
    ["prevention-policies:read", "ioc-management:read"],
  ),
  role(
    "image_admin",
    "Image Administrator",
    "Manages registries, and scans and exports their images.",
    [...images, "infrastructure-as-code:read"],
  ),
  role("image_viewer", "Image Viewer", "Reads images and their findings.", imageReads),
  role(
    "kubernetes_protection_admin",
    "Kubernetes Protection Administrator",
    "Manages the protection of clusters and the images that run there.",
    [...images, "infrastructure-as-code:read", "cloud-security-tools-download:read"],
  ),
  role(
    "kubernetes_protection_analyst",
    "Kubernetes Protection Analyst",
    "Reads the workloads of clusters, and scans their images.",
    [...imageReads, "container-cli:write"],
  ),
  role(
    "kubernetes_protection_read_only_analyst",
    "Kubernetes Protection Analyst - Read Only",
    "Reads the workloads of clusters, without changes.",
    imageReads,
  ),
  role(
    "horizon_admin",
    "Cloud Posture Administrator",
    "Manages the scanning of cloud accounts and of the code that describes them.",
    [...images, "infrastructure-as-code:read", "cloud-security-tools-download:read"],
  ),
  role("horizon_analyst", "Cloud Posture Analyst", "Works on the findings in cloud accounts.", [
    "container-image:read",
    "infrastructure-as-code:read",
    ...caseWork,
  ]),
  role(
    "horizon_read_only_analyst",
    "Cloud Posture Analyst - Read Only",
    "Reads the findings in cloud accounts, without changes.",
    ["container-image:read", "infrastructure-as-code:read"],
  ),
  role(
    "intel_admin",
    "Intelligence Administrator",
    "Manages intelligence and the indicators derived from it.",
    readAndWrite("ioc-management"),
  ),
  role(
    "intel_all_analyst",
    "Intelligence Analyst - All Reports",
    "Reads all intelligence reports and the indicators derived from them.",
    ["ioc-management:read"],
  ),
  role(
    "intel_basic_analyst",
    "Intelligence Analyst - Basic",
    "Reads basic intelligence and the indicators derived from it.",
    ["ioc-management:read"],
  ),
  role(
    "intel_ecrime_analyst",
    "Intelligence Analyst - eCrime",
    "Reads intelligence on cybercrime, and the indicators derived from it.",
    ["ioc-management:read"],
  ),
  role(
    "intel_targeted_analyst",
    "Intelligence Analyst - Targeted",
    "Reads intelligence on targeted attacks, and the indicators derived from it.",
    ["ioc-management:read"],
  ),
  role(
    "intel_malware_submitter",
    "Intelligence Malware Submitter",
    "Submits files for analysis. No operation of this API requires it.",
    [],
  ),
  role(
    "overwatch_malware_submitter",
    "Threat Hunting Malware Submitter",
    "Submits files to the threat hunters. No operation of this API requires it.",
    [],
  ),
  role(
    "samplestore_sample_submitter",
    "Sample Store Submitter",
    "Uploads files to the sample store. No operation of this API requires it.",
    [],
  ),
  role(
    "remote_responder",
    "Remote Responder",
    "Inspects hosts remotely, and reads the related cases.",
    ["cases:read"],
  ),
  role(
    "remote_responder_one",
    "Remote Responder - Read Only",
    "Inspects hosts remotely, without changes.",
    ["cases:read"],
  ),
  role(
    "remote_responder_three",
    "Remote Responder Admin",
    "Runs any command on hosts remotely, and fetches files into cases.",
    caseWork,
  ),
  role(
    "xdr_admin",
    "NG SIEM Admin",
    "Manages cases, their templates, goals and notifications.",
    readAndWrite("cases", "case-templates"),
  ),
  role(
    "binarly_admin",
    "Firmware Analysis Administrator",
    "Manages the analysis of firmware. No operation of this API requires it.",
    [],
  ),
  role(
    "binarly_user",
    "Firmware Analysis User",
    "Reads the analysis of firmware. No operation of this API requires it.",
    [],
  ),
].toSorted((left, right) => (left.role.id < right.role.id ? -1 : 1));

const definitions = new Map(roleDefinitions.map((each) => [each.role.id, each]));

/** The platform's role with this id, and its permissions. Undefined for an unknown id. */
export const roleDefinition = (id: string): RoleDefinition | undefined => definitions.get(id);

/** The display name of a platform role. For any other role, its id. */
export const roleName = (id: string): string => definitions.get(id)?.role.display_name ?? id;
