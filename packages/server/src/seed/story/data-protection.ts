import type { Cast } from "./cast.ts";
import { step, type Step } from "./step.ts";

/** File types of the catalogue. */
const pdf = "3c65c295582d4c52c91ed0b053a910a5";
const word = "f5d01463e136e51270487be4807b9abb";

/** Two policies, what contracts are recognised by, and where they may go. */
export function dataProtectionSteps({ known, at, groups }: Cast): readonly Step[] {
  const portal = known("f1a3c5e7092b4d6f8a1c3e5d7f90b2d4");
  const pattern = known("4f8d2c6b1a9e4705b3c7d1e0f5a86924");
  const label = known("6c1e8a3f5d7b4920a6c4e2f0b8d69713");
  const excel = known("cf0d1e2b3a4948576879a0b1c2d3e4f5");
  const drafts = known("3e9b7d5c1f2a4864b0e8d6c4a2f09175");
  const partners = known("a4e6c8f0b2d4417695c7e9a1f3b5d708");
  const classification = known("c5d1e7f30a9b4826947e6d3c2b1a0f85");
  const policy = known("d9e7c5b3a1f0428697a5c3e1f8d6b420");
  return [
    step("entities.cloud-application.create", {
      at: at(20, "08:10:44"),
      ids: [portal],
      body: {
        name: "Partner portal",
        description: "Where partners exchange drafts",
        urls: [
          { fqdn: "partners.example.com", path: "/drafts" },
          { fqdn: "*.partners.example.com", path: "" },
        ],
      },
    }),
    step("entities.cloud-application.create", {
      at: at(60, "11:05:00"),
      ids: [known("6a8c0e1f3b5d42798f7a9c0e2d4b6f18")],
      body: {
        name: "Old file exchange",
        description: "Switched off at the end of the year",
        urls: [{ fqdn: "exchange.example.com", path: "" }],
      },
    }),
    step("entities.content-pattern.create", {
      at: at(20, "08:20:11"),
      ids: [pattern],
      body: {
        name: "Contract number",
        description: "Numbers of customer contracts",
        category: "Custom",
        region: "ALL",
        regexes: [String.raw`\bNW-[0-9]{8}\b`],
        min_match_threshold: 1,
        example: "NW-20260114 replaces NW-20251203",
      },
    }),
    step("entities.content-pattern.create", {
      at: at(60, "11:15:00"),
      ids: [known("92a4c6e8f0b1435d8e7f9a0b1c2d3e4f")],
      body: {
        name: "Project code",
        category: "Custom",
        region: "EU",
        regexes: [String.raw`\bPRJ-[A-Z]{3}-[0-9]{3}\b`],
        min_match_threshold: 3,
      },
    }),
    step("entities.enterprise-account.create", {
      at: at(20, "08:02:30"),
      ids: [known("b7d9f1e3a5c74086a2c4e6f8d0b19375")],
      body: {
        name: "Harbour Workspace",
        application_group_id: "google",
        domains: ["example.com", "mail.example.com"],
        plugin_config_id: "e8c6a4f2d0b14937856e7f9a1b3c5d70",
      },
    }),
    step("entities.enterprise-account.create", {
      at: at(70, "14:40:00"),
      ids: [known("5a7c9e1b3d5f40729486a8c0e2f4d61b")],
      body: {
        name: "Harbour 365",
        application_group_id: "microsoft",
        domains: ["example.com", "example.org"],
        plugin_config_id: "98b0d2f4e6a84c1ab3d5f7092b4c6e81",
      },
    }),
    step("entities.enterprise-account.create", {
      at: at(69, "10:12:00"),
      ids: [known("c3d5e7f9a1b24c6d8e0f1a3b5c7d9e24")],
      body: {
        name: "Harbour Box",
        application_group_id: "box",
        domains: ["files.example.com"],
      },
    }),
    step("entities.local-application.create", {
      at: at(20, "08:22:03"),
      ids: [excel],
      body: {
        name: "Excel",
        executable_name: "excel.exe",
        group_ids: [],
        apply_rules_for_children_processes: true,
        emit_rule_matched_events_only: true,
        enable_rename_detection: true,
      },
    }),
    step("entities.local-application.create", {
      at: at(20, "08:22:48"),
      ids: [known("3b1c5d7e9f204a6c8e0b2d4f6a8c1e35")],
      body: {
        name: "Notepad",
        executable_name: "notepad.exe",
        group_ids: [],
        apply_rules_for_children_processes: false,
        emit_rule_matched_events_only: false,
        enable_rename_detection: false,
      },
    }),
    step("entities.local-application-group.create", {
      at: at(20, "08:24:35"),
      ids: [known("d4b6f8a0c2e1437596b8d0f2e4a6c813")],
      body: {
        name: "Applications for contracts",
        description: "What contracts are written with",
        local_application_ids: [excel],
      },
    }),
    step("entities.local-application-group.create", {
      at: at(59, "09:30:00"),
      ids: [known("7e9f0b1d2c3a45648f5e6d7c8b9a0f12")],
      body: { name: "Editors", local_application_ids: [] },
    }),
    step("entities.sensitivity-label.create-v2", {
      at: at(20, "08:25:19"),
      ids: [label],
      body: {
        name: "9c0f6b1d-2e7a-4d35-8b64-f1a7c3e5d920",
        display_name: "Confidential",
        label_provider: "microsoft",
        external_id: "9c0f6b1d-2e7a-4d35-8b64-f1a7c3e5d920",
        plugins_configuration_id: "98b0d2f4e6a84c1ab3d5f7092b4c6e81",
        synced: true,
        co_authoring: false,
      },
    }),
    step("entities.sensitivity-label.create-v2", {
      at: at(20, "08:26:02"),
      ids: [known("05b7d9f1e3a24c688e9a0c1d2f3b4e57")],
      body: {
        name: "4d2f8b60-1c9e-4a73-95d8-e0b6f7a31c42",
        display_name: "Internal",
        label_provider: "microsoft",
        external_id: "4d2f8b60-1c9e-4a73-95d8-e0b6f7a31c42",
        plugins_configuration_id: "98b0d2f4e6a84c1ab3d5f7092b4c6e81",
        synced: true,
        co_authoring: true,
      },
    }),
    step("entities.web-location-group.create", {
      at: at(20, "08:17:12"),
      ids: [partners],
      body: { name: "Partners", description: "Portals that partners can read" },
    }),
    step("entities.web-location-group.create", {
      at: at(59, "09:40:00"),
      ids: [known("1b3d5f70e2c4468a9c0b2d4e6f8a1c35")],
      body: { name: "Suppliers" },
    }),
    step("entities.web-location.create-v2", {
      at: at(20, "08:18:50"),
      ids: [drafts, known("e1f3a5b7c9d0482a8e6c4b2d0f1a3c59")],
      body: {
        web_locations: [
          {
            name: "Drafts on the partner portal",
            type: "custom",
            location_type: "folder",
            application_id: portal,
            provider_location_id: "drafts",
            provider_location_name: "Drafts",
            web_location_group_ids: [partners],
            deleted: false,
          },
          {
            name: "Archive on the partner portal",
            type: "custom",
            location_type: "folder",
            application_id: portal,
            provider_location_id: "archive",
            provider_location_name: "Archive",
            deleted: false,
          },
        ],
      },
    }),
    step("entities.classification.post.v2", {
      at: at(20, "08:31:07"),
      by: "administrator",
      ids: [classification, known("8e2b4d6f1c3a4597b0d8e6f4a2c19375")],
      body: {
        resources: [
          {
            name: "Customer contracts",
            classification_properties: {
              protection_mode: "monitor",
              content_patterns: [pattern],
              file_types: [pdf, word],
              sensitivity_labels: [label],
              rules: [
                {
                  description: "Contracts stay off the portal and off devices",
                  response_action: "block",
                  trigger_detection: true,
                  detection_severity: "high",
                  notify_end_user: true,
                  user_scope: "all",
                  enable_web_locations: true,
                  web_locations_scope: "specific",
                  web_locations: [drafts],
                  enable_usb_devices: true,
                },
              ],
            },
          },
        ],
      },
    }),
    step("entities.classification.patch.v2", {
      at: at(13, "07:12:55"),
      by: "analyst",
      body: {
        resources: [
          { id: classification, classification_properties: { protection_mode: "enforce" } },
        ],
      },
    }),
    step("entities.classification.post.v2", {
      at: at(15, "12:00:00"),
      by: "administrator",
      ids: [known("a9b7c5d3e1f0426898a6b4c2d0e1f375")],
      body: {
        resources: [
          {
            name: "Project plans",
            classification_properties: { protection_mode: "monitor", file_types: [pdf] },
          },
        ],
      },
    }),
    step("entities.policy.post.v2", {
      at: at(20, "08:40:02"),
      by: "administrator",
      ids: [policy],
      query: { platform_name: "win" },
      body: {
        resources: [
          {
            name: "Finance workstations",
            description: "Contracts stay in the house",
            policy_properties: {
              classifications: [classification],
              enable_clipboard_inspection: true,
              similarity_detection: true,
              similarity_threshold: "70",
              be_upload_timeout_response: "block",
              browsers_without_active_extension: "block_policy",
              block_notifications: "custom",
              custom_block_notification: "This leaves Harbour only by the partner portal.",
            },
          },
        ],
      },
    }),
    step("entities.policy.patch.v2", {
      at: at(13, "07:20:18"),
      by: "analyst",
      query: { platform_name: "win" },
      body: {
        resources: [
          {
            id: policy,
            is_enabled: true,
            host_groups: [groups.finance],
            policy_properties: {
              evidence_download_enabled: true,
              evidence_encrypted_enabled: true,
            },
          },
        ],
      },
    }),
    step("entities.policy.post.v2", {
      at: at(38, "10:02:00"),
      by: "administrator",
      ids: [known("f0a2c4e6b8d14f739a7c5e3d1b0f2846")],
      query: { platform_name: "mac" },
      body: { resources: [{ name: "Meeting rooms", description: "", policy_properties: {} }] },
    }),
    step("entities.policy.post.v2", {
      at: at(40, "15:08:39"),
      by: "administrator",
      ids: [known("1c9e7a5b3d1f4062a4c6e8d0b2f49573")],
      query: { platform_name: "win" },
      body: { resources: [{ name: "Laptops", description: "", policy_properties: {} }] },
    }),
  ];
}
