import type { Cast } from "./cast.ts";
import { shadowCopies } from "./rule-groups.ts";
import { step, type Step } from "./step.ts";

/** Two policies for Windows, the first of which applies to the finance workstations. */
export function preventionSteps({ known, at, groups }: Cast): readonly Step[] {
  const strict = known("9c4be1d07f2a4c63b8d5e0f1a2b3c4d5");
  const mild = known("b21f7a6c5d4e4f0398a7c6d5e4f30211");
  return [
    step("createPreventionPolicies", {
      at: at(1, "10:05:11.204"),
      ids: [strict],
      body: {
        resources: [
          {
            name: "Workstations that open invoices",
            description: "After incident 2026-014",
            platform_name: "Windows",
            settings: [
              {
                id: "OnSensorMLSlider",
                value: { detection: "AGGRESSIVE", prevention: "AGGRESSIVE" },
              },
              { id: "DetectOnWrite", value: { enabled: true } },
            ],
          },
        ],
      },
    }),
    step("performPreventionPoliciesAction", {
      at: at(1, "10:06:40.771"),
      query: { action_name: "add-host-group" },
      body: {
        ids: [strict],
        action_parameters: [{ name: "group_id", value: groups.finance }],
      },
    }),
    step("performPreventionPoliciesAction", {
      at: at(1, "10:09:02.118"),
      query: { action_name: "enable" },
      body: { ids: [strict] },
    }),
    step("performPreventionPoliciesAction", {
      at: at(1, "10:08:15.300"),
      query: { action_name: "add-rule-group" },
      body: {
        ids: [strict],
        action_parameters: [{ name: "rule_group_id", value: known(shadowCopies) }],
      },
    }),
    step("createPreventionPolicies", {
      at: at(40, "13:40:00"),
      by: "administrator",
      ids: [mild],
      body: {
        resources: [
          {
            name: "Pilot of stricter machine learning",
            description: "Detects only",
            platform_name: "Windows",
            settings: [
              {
                id: "OnSensorMLSlider",
                value: { detection: "AGGRESSIVE", prevention: "DISABLED" },
              },
            ],
          },
        ],
      },
    }),
    step("createPreventionPolicies", {
      at: at(38, "09:20:00"),
      by: "administrator",
      ids: [known("4e6f8a0c2b1d43759d7f9b1c3a5e7082")],
      body: { resources: [{ name: "Loan devices", description: "", platform_name: "Mac" }] },
    }),
  ];
}
