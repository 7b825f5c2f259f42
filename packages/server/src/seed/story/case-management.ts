import type { Cast } from "./cast.ts";
import { alertIds, mailEventId } from "./evidence.ts";
import { step, type Step } from "./step.ts";

export const storyIncident = "019cada2-267b-7c41-9b1e-6f0a2d8c4e57";

/** The configuration of case management, and the incident with which the examples of the document deal. */
export function caseManagementSteps(cast: Cast): readonly Step[] {
  const { known, at, now, people } = cast;
  const ids = (...listed: readonly string[]) => listed.map(known);
  const onCall = known("3e5c7a9b1d2f40648b6a7c8d9e0f1a25");
  const sla = known("6c2e9a14d7f34b0f8e5a1d3c7b9f2046");
  const template = known("b3f1c6d2e8a947508d1c4e7f6a2b9c30");
  const unit = known("e4a7c91d3b5f4286a0d9e8f7c6b51a23");
  const incident = known(storyIncident);
  const { first, second, today } = alertIds(cast);
  const caseOfToday = known("019cb0e7-4a1c-7d35-a6f2-8b0c2d4e6f18");
  return [
    step("entities.notification-groups.post.v1", {
      at: at(43, "09:41:07.220"),
      ids: ids("a97d3e5f1b2c4d608f9e0a1b3c5d7e92"),
      body: {
        name: "Leads of incidents",
        description: "Lead the response to incidents",
        channels: [
          {
            type: "email",
            config_name: "Mail",
            recipients: ["incident-leads@example.com"],
          },
          {
            type: "slack",
            config_id: "slack-01",
            config_name: "Slack of security",
            recipients: ["https://hooks.example.com/cases/incident-leads"],
          },
        ],
      },
    }),
    step("entities.notification-groups.post.v2", {
      at: at(43, "09:44:30.905"),
      ids: [onCall],
      body: {
        name: "On-call",
        description: "Whoever is on call",
        channels: [
          { type: "email", config_name: "Mail", params: { recipients: ["on-call@example.com"] } },
          {
            type: "ms_teams",
            config_name: "Teams of operations",
            params: { url: "https://teams.example.com/hooks/on-call" },
          },
          {
            type: "webhook",
            config_id: "pager-bridge",
            config_name: "Pager",
            params: {
              url: "https://oncall.example.com/hooks/cases",
              secret: "correct-horse-battery-staple",
            },
          },
        ],
      },
    }),
    step("entities.notification-groups.post.v1", {
      at: at(43, "16:10:00"),
      ids: ids("4c8e0a2d6f1b45739d5e7f8091a2b3c4"),
      body: {
        name: "Records office",
        description: "Keeps the reports of closed cases",
        channels: [{ type: "email", config_name: "Mail", recipients: ["records@example.com"] }],
      },
    }),
    step("entities.notification-groups.post.v2", {
      at: at(43, "16:12:00"),
      ids: ids("8b0d2f4a6c8e41539e7f9a1b3c5d7e20"),
      body: {
        name: "Trainees",
        description: "Read along",
        channels: [
          { type: "email", config_name: "Mail", params: { recipients: ["trainees@example.com"] } },
        ],
      },
    }),
    step("entities.slas.post.v1", {
      at: at(43, "09:50:12.661"),
      ids: [
        sla,
        ...ids(
          "d2e4f60819a34b5c8d7e6f5041a2b3c4",
          "b0a1c2d3e4f5460789a0b1c2d3e4f506",
          "f6e5d4c3b2a1409088f7e6d5c4b3a291",
        ),
      ],
      body: {
        name: "Critical incidents",
        description: "Around the clock",
        goals: [
          {
            type: "ack",
            duration_seconds: 900,
            escalation_policy: {
              steps: [
                { notification_group_id: onCall, escalate_after_seconds: 0 },
                { notification_group_id: onCall, escalate_after_seconds: 1_800 },
              ],
            },
          },
          { type: "resolve", duration_seconds: 86_400 },
        ],
      },
    }),
    step("entities.slas.patch.v1", {
      at: at(43, "09:57:00.148"),
      ids: ids("a6b8c0d2e4f64a1b8c3d5e7f90123456"),
      body: {
        id: sla,
        goals: [
          {
            type: "ack",
            duration_seconds: 900,
            escalation_policy: {
              steps: [
                { notification_group_id: onCall, escalate_after_seconds: 0 },
                { notification_group_id: onCall, escalate_after_seconds: 1_800 },
              ],
            },
          },
          { type: "resolve", duration_seconds: 259_200 },
        ],
      },
    }),
    step("entities.slas.post.v1", {
      at: at(43, "15:20:00"),
      by: "administrator",
      ids: ids("48b1d7f3a0e94c529e6d8c7b5a4f3120"),
      body: {
        name: "Office hours",
        description: "For everything that can wait until the morning",
        goals: [{ type: "resolve", duration_seconds: 604_800 }],
      },
    }),
    step("entities.templates.post.v1", {
      at: at(43, "10:00:00"),
      ids: [
        template,
        unit,
        ...ids(
          "2a4c6e8f0b1d43579a8b7c6d5e4f3a21",
          "8f7e6d5c4b3a42918f0e1d2c3b4a5968",
          "71c3b5a9e8d74f60a2b4c6d8e0f1a3b5",
          "5b7d9f1a3c4e46088a6c8e0f2b4d6a97",
          "c18f5b3e9d2a47609b7e6f4d3c2a1b05",
        ),
      ],
      body: {
        name: "Ransomware response",
        description: "For everything that encrypts",
        fields: [
          {
            name: "Business unit",
            data_type: "string",
            input_type: "select",
            required: true,
            options: [{ value: "Finance" }, { value: "Logistics" }],
          },
          {
            name: "Ransom demanded",
            data_type: "boolean",
            input_type: "checkbox",
            default_value: "false",
          },
        ],
        sla_rules: [{ type: "fql", condition: "severity:>=80", sla_id: sla }],
        access_tags: [{ key: "EMBERFALL" }],
        workflows: [{ id: "isolate-hosts", display_order: 0 }],
      },
    }),
    step("entities.templates.patch.v1", {
      at: at(22, "15:12:48.330"),
      ids: ids("d1e2f3a4b5c64d7e8f90a1b2c3d4e5f6", "0f9e8d7c6b5a41329e3d2c1b0a4f5e6d"),
      body: {
        id: template,
        fields: [
          {
            id: unit,
            name: "Business unit",
            data_type: "string",
            input_type: "select",
            required: true,
            options: [
              { id: known("2a4c6e8f0b1d43579a8b7c6d5e4f3a21"), value: "Finance" },
              { id: known("8f7e6d5c4b3a42918f0e1d2c3b4a5968"), value: "Logistics" },
              { value: "Retail" },
            ],
          },
          {
            id: known("71c3b5a9e8d74f60a2b4c6d8e0f1a3b5"),
            name: "Ransom demanded",
            data_type: "boolean",
            input_type: "checkbox",
            default_value: "false",
          },
        ],
      },
    }),
    step("entities.templates.post.v1", {
      at: at(40, "11:30:00"),
      by: "administrator",
      ids: ids("e5f7091b3d4f42678a9c0e1f3b5d7092"),
      body: {
        name: "Lost device",
        description: "For laptops and phones that are missing",
        fields: [
          { name: "Serial number", data_type: "string", input_type: "text" },
          { name: "Disk encrypted", data_type: "boolean", input_type: "checkbox" },
        ],
      },
    }),
    step("entities.cases.put.v2", {
      at: at(1, "08:20:11.003"),
      ids: ids(storyIncident, "1c3e5a7b9d0f42648a6c8e0d2f4b6a81"),
      body: {
        name: "Emberfall on a finance workstation",
        description: `The loader of Emberfall ran on ${cast.workstation.hostname ?? ""}.`,
        description_tagged_users: [people.administrator],
        severity: 90,
        tags: ["emberfall", "ransomware"],
        evidence: { alerts: [{ id: first }] },
        template: { id: template },
      },
    }),
    step("entities.alert-evidence.post.v1", {
      at: at(1, "08:24:10.512"),
      ids: ids("5d7f91b3c5e744869a8c0e2f4b6d8a03"),
      body: { id: incident, alerts: [{ id: second }] },
    }),
    step("entities.event-evidence.post.v1", {
      at: at(1, "08:29:37.041"),
      ids: ids("83a5c7e9d1f246408bad0c2e4f6a8b17"),
      body: { id: incident, events: [{ id: mailEventId(cast) }] },
    }),
    step("entities.cases.patch.v2", {
      at: at(1, "08:31:04.280"),
      body: {
        id: incident,
        fields: {
          status: "in_progress",
          assigned_to_user_uuid: people.analyst,
          custom_fields: [{ id: unit, values: ["Finance"] }],
        },
      },
    }),
    step("entities.cases.put.v2", {
      at: at(1, "09:05:42.771"),
      ids: ids("019cadcb-d573-7a08-8d2c-1f3e5a7b9c0d"),
      body: { name: "Suspicious mail", severity_info: { level: "low" } },
    }),
    step("entities.cases.put.v2", {
      at: now - 50 * 60_000,
      ids: [caseOfToday],
      body: {
        name: `Emberfall blocked on ${cast.nextWorkstation.hostname ?? ""}`,
        description: "The policy of yesterday has stopped the loader before it ran.",
        severity: 40,
        tags: ["emberfall"],
        evidence: { alerts: [{ id: today }] },
      },
    }),
    step("entities.cases.patch.v2", {
      at: now - 35 * 60_000,
      by: "analyst",
      body: {
        id: caseOfToday,
        fields: { status: "in_progress", assigned_to_user_uuid: people.analyst },
      },
    }),
    step("entities.retrieve-rtr-file.post.v1", {
      at: at(1, "08:44:50.119"),
      ids: ids("9b2f7a4c6d8e41035f7a9c2b4e6d8f01"),
      body: {
        case_id: incident,
        aid: cast.workstation.device_id,
        file_path: String.raw`C:\Users\b.olsen\Downloads\invoice-viewer.exe`,
        description: "The loader",
      },
    }),
  ];
}
