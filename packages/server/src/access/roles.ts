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

/** All that operations ask for. */
export const everyScope: readonly string[] = [
  ...new Set(servedDocument().operations.flatMap(({ scope }) => scope ?? [])),
];

/** All that shows the platform's data; who its users are is another matter. */
const everyRead = everyScope.filter(
  (scope) => scope.endsWith(":read") && !scope.startsWith("user-management:"),
);

/** All that can be done to users. */
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
    "Does everything in the tenant, users and their roles included.",
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
    "Follows a detection through hosts, identities and cases, and writes down what was found.",
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
    "Sees what an analyst sees, and changes nothing.",
    everyRead,
  ),
  role(
    "security_lead",
    "Falcon Security Lead",
    "Leads analysts: sees everything with its users, and decides on indicators, exclusions and cases.",
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
    "Signs in, and sees nothing that another role does not show.",
    [],
  ),
  role("event_viewer", "Event Viewer", "Sees cases and the events in them.", ["cases:read"]),
  role(
    "help_desk",
    "Help Desk",
    "Helps people to sign in again: resets passwords and second factors.",
    readAndWrite("user-management"),
    ["reset_2fa", "reset_password"],
  ),
  role(
    "desktop_support",
    "Desktop Support",
    "Sees which policies and exclusions hold on a desktop.",
    ["prevention-policies:read", "ioa-exclusions:read"],
  ),
  role(
    "dashboard_admin",
    "Dashboard Admin",
    "Makes dashboards for the tenant, and so sees what goes into them.",
    everyRead,
  ),
  role(
    "billing_dashboard_admin",
    "Billing Dashboard Admin",
    "Sees what is licensed and used. No operation of this API asks for it.",
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
    "Manages what may leave through devices, as part of data protection.",
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
    "Makes, changes and orders prevention policies.",
    readAndWrite("prevention-policies"),
  ),
  role(
    "prevention_hashes_manager",
    "Prevention Hashes Manager",
    "Manages indicators: hashes, domains and addresses to allow or to stop.",
    readAndWrite("ioc-management"),
  ),
  role(
    "quarantine_manager",
    "Quarantine Manager",
    "Decides on quarantined files, with indicators and cases in sight.",
    ["ioc-management:read", "cases:read"],
  ),
  role(
    "remediation_manager",
    "Remediation Manager",
    "Works on cases until what they found is repaired.",
    caseWork,
  ),
  role(
    "response_workflow_author",
    "Workflow Author",
    "Writes what happens by itself: case templates, their goals and notifications.",
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
    "Plans reports and exports of the whole tenant.",
    [...everyRead, "container-image:write"],
  ),
  role(
    "scheduled_report_analyst",
    "Scheduled Reports Analyst",
    "Reads the reports and exports that others planned.",
    ["container-image:read"],
  ),
  role(
    "vulnerability_manager",
    "Vulnerability Manager",
    "Sees vulnerabilities of images and has them scanned.",
    [...images, "infrastructure-as-code:read"],
  ),
  role("discover_analyst", "Discover Analyst", "Sees which hosts and identities there are.", [
    "identity-protection-entities:read",
  ]),
  role(
    "mobile_admin",
    "Mobile Administrator",
    "Manages mobile devices, and reads what guards them.",
    ["prevention-policies:read", "ioc-management:read"],
  ),
  role(
    "image_admin",
    "Image Administrator",
    "Manages registries, and scans and exports their images.",
    [...images, "infrastructure-as-code:read"],
  ),
  role("image_viewer", "Image Viewer", "Sees images and what was found in them.", imageReads),
  role(
    "kubernetes_protection_admin",
    "Kubernetes Protection Administrator",
    "Manages the protection of clusters and the images that run there.",
    [...images, "infrastructure-as-code:read", "cloud-security-tools-download:read"],
  ),
  role(
    "kubernetes_protection_analyst",
    "Kubernetes Protection Analyst",
    "Sees what runs in clusters, and has its images scanned.",
    [...imageReads, "container-cli:write"],
  ),
  role(
    "kubernetes_protection_read_only_analyst",
    "Kubernetes Protection Analyst - Read Only",
    "Sees what runs in clusters, and changes nothing.",
    imageReads,
  ),
  role(
    "horizon_admin",
    "Cloud Posture Administrator",
    "Manages the scanning of cloud accounts and of the code that describes them.",
    [...images, "infrastructure-as-code:read", "cloud-security-tools-download:read"],
  ),
  role("horizon_analyst", "Cloud Posture Analyst", "Works on what was found in cloud accounts.", [
    "container-image:read",
    "infrastructure-as-code:read",
    ...caseWork,
  ]),
  role(
    "horizon_read_only_analyst",
    "Cloud Posture Analyst - Read Only",
    "Sees what was found in cloud accounts, and changes nothing.",
    ["container-image:read", "infrastructure-as-code:read"],
  ),
  role(
    "intel_admin",
    "Intelligence Administrator",
    "Manages intelligence and the indicators made of it.",
    readAndWrite("ioc-management"),
  ),
  role(
    "intel_all_analyst",
    "Intelligence Analyst - All Reports",
    "Reads every intelligence report and the indicators made of them.",
    ["ioc-management:read"],
  ),
  role(
    "intel_basic_analyst",
    "Intelligence Analyst - Basic",
    "Reads basic intelligence and the indicators made of it.",
    ["ioc-management:read"],
  ),
  role(
    "intel_ecrime_analyst",
    "Intelligence Analyst - eCrime",
    "Reads intelligence on crime for money, and the indicators made of it.",
    ["ioc-management:read"],
  ),
  role(
    "intel_targeted_analyst",
    "Intelligence Analyst - Targeted",
    "Reads intelligence on targeted attacks, and the indicators made of it.",
    ["ioc-management:read"],
  ),
  role(
    "intel_malware_submitter",
    "Intelligence Malware Submitter",
    "Sends files to be analysed. No operation of this API asks for it.",
    [],
  ),
  role(
    "overwatch_malware_submitter",
    "Threat Hunting Malware Submitter",
    "Sends files to the threat hunters. No operation of this API asks for it.",
    [],
  ),
  role(
    "samplestore_sample_submitter",
    "Sample Store Submitter",
    "Puts files into the sample store. No operation of this API asks for it.",
    [],
  ),
  role(
    "remote_responder",
    "Remote Responder",
    "Looks at hosts from afar, and sees the cases that ask for it.",
    ["cases:read"],
  ),
  role(
    "remote_responder_one",
    "Remote Responder - Read Only",
    "Looks at hosts from afar without changing them.",
    ["cases:read"],
  ),
  role(
    "remote_responder_three",
    "Remote Responder Admin",
    "Runs everything on hosts from afar, and fetches files into cases.",
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
    "Manages the analysis of firmware. No operation of this API asks for it.",
    [],
  ),
  role(
    "binarly_user",
    "Firmware Analysis User",
    "Reads the analysis of firmware. No operation of this API asks for it.",
    [],
  ),
].toSorted((left, right) => (left.role.id < right.role.id ? -1 : 1));

const definitions = new Map(roleDefinitions.map((each) => [each.role.id, each]));

/** The platform's role of this id with what it allows; undefined for an unknown id. */
export const roleDefinition = (id: string): RoleDefinition | undefined => definitions.get(id);

/** Name of a role of the platform for people; of any other, its id. */
export const roleName = (id: string): string => definitions.get(id)?.role.display_name ?? id;
