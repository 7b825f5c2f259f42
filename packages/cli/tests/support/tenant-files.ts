import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Files by their paths. */
export type Files = Readonly<Record<string, string>>;

/** The YAML files of a folder. */
export const filesOf = (folder: string): Files =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".yaml"))
      .toSorted()
      .map((path) => [path.replaceAll("\\", "/"), readFileSync(join(folder, path), "utf8")]),
  );

export function writeFiles(folder: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** A record of every kind, written by hand: with few members, and in another order than that of the document. */
export const handWritten: Files = {
  "host-groups/servers.yaml":
    "group_type: dynamic\nname: Servers\nassignment_rule: product_type_desc:'Server' # by product\n",
  "host-groups/kiosks.yaml":
    "name: Kiosks\ngroup_type: static\nassignment_rule: device_id:[''],hostname:['KIOSK-1']\n",
  "prevention-policies/windows-servers.yaml":
    "name: Servers\nplatform_name: Windows\nenabled: true\ngroups: [Servers]\nsettings:\n" +
    "  CloudAntiMalware:\n    detection: AGGRESSIVE\n    prevention: MODERATE\n",
  "prevention-policies/windows-kiosks.yaml":
    "name: Kiosks\nplatform_name: Windows\ndescription: In the shops\ngroups: [Kiosks]\n",
  "prevention-policies/mac-servers.yaml": "name: Servers\nplatform_name: Mac\n",
  "precedence.yaml":
    "prevention-policies:\n  Windows: [Kiosks, Servers]\ndata-protection-policies:\n  win: [Second, First]\n",
  "ioa-exclusions/backup.yaml":
    'name: Nightly backup\npattern_id: "41005"\nifn_regex: .*\\\\backup\\.exe\ncl_regex: .*--snapshot \\d+\n' +
    "host_groups: [Servers]\n",
  "ioa-exclusions/inventory.yaml":
    'name: Inventory\npattern_id: "5702"\nifn_regex: .*\\\\agent\\.exe\ncl_regex: .*\nhost_groups: [all]\n',
  "content-patterns/contracts.yaml":
    "name: Contract numbers\ncategory: Custom\nregion: ALL\nregexes: ['CT-[0-9]{6}']\nmin_match_threshold: 1\nexample: CT-123456\n",
  "sensitivity-labels/confidential.yaml":
    "name: confidential\ndisplay_name: Confidential\nlabel_provider: microsoft\n",
  "cloud-applications/portal.yaml":
    "name: Partner portal\nurls:\n  - fqdn: portal.example.com\n    path: /files\n",
  "enterprise-accounts/workspace.yaml":
    "name: Workspace\napplication_group_id: google\ndomains: [example.com]\n",
  "web-locations/portal.yaml":
    "name: The portal\nlocation_type: application\napplication_id: Partner portal\n",
  "web-location-groups/partners.yaml":
    "name: Partners\nweb_location_ids: [The portal, Google Drive]\n",
  "local-applications/cad.yaml": "name: CAD\nexecutable_name: cad.exe\n",
  "local-application-groups/drawing.yaml": "name: Drawing\nlocal_application_ids: [CAD]\n",
  "classifications/contracts.yaml": `name: Contracts
classification_properties:
  content_patterns: [Contract numbers, Credit card number]
  file_types: [PDF]
  sensitivity_labels: [confidential]
  web_sources: [The portal]
  rules:
    - description: Stay in the house
      response_action: block
      enable_web_locations: true
      web_locations_scope: specific
      web_locations: [Google Drive]
      enable_local_application_groups: true
      local_application_groups: [Drawing]
`,
  "data-protection-policies/first.yaml":
    "name: First\nplatform_name: win\ndescription: One\nis_enabled: true\nhost_groups: [Servers]\n" +
    "policy_properties:\n  classifications: [Contracts]\n  euj_dialog_timeout: 90\n",
  "data-protection-policies/second.yaml": "name: Second\nplatform_name: win\ndescription: Two\n",
  "identity-protection-rules/mfa.yaml":
    "name: Second factor\naction: MFA\ntrigger: access\nenabled: true\nsimulation_mode: false\nactivity:\n  accessType:\n    include: [RDP]\n",
  "notification-groups/on-call.yaml": `name: On-call
channels:
  - type: email
    config_name: Mail
    params:
      recipients: [on-call@example.com]
  - type: webhook
    params:
      url: https://93.184.215.14/cases
      secret: \${ON_CALL_2_SECRET}
  - type: slack
    params:
      url: \${ON_CALL_3_URL}
`,
  "slas/critical.yaml": `name: Critical
goals:
  - type: ack
    duration_seconds: 900
    escalation_policy:
      steps:
        - notification_group_id: On-call
          escalate_after_seconds: 60
  - type: resolve
    duration_seconds: 28800
`,
  "case-templates/ransomware.yaml": `name: Ransomware
description: For everything that encrypts
sla_id: Critical
sla_rules:
  - type: fql
    condition: severity:>80
    sla_id: Critical
access_tags: [EMBERFALL]
fields:
  - name: Business unit
    data_type: string
    input_type: select
    options:
      - value: Finance
      - value: Logistics
`,
  "users/mara.yaml": "uid: mara@example.com\nfirst_name: Mara\nroles: [falconhost_analyst]\n",
  "users/tomas.yaml": "uid: tomas@example.com\nlast_name: Okafor\n",
  "user-groups/night.yaml": "name: Night shift\nmembers: [tomas@example.com, mara@example.com]\n",
};

/** The variables that `handWritten` names. */
export const secrets: Readonly<Record<string, string>> = {
  ON_CALL_2_SECRET: "0123456789abcdef",
  ON_CALL_3_URL: "https://93.184.215.14/services/T0",
};
