import { knownEntities } from "../known.ts";
import type { Cast } from "./cast.ts";
import { step, type Step } from "./step.ts";

/** Rules for the accounts of administrators and for accesses through the federation. */
export const identitySteps = ({ known, at }: Cast): readonly Step[] => [
  step("post_policy_rules", {
    at: at(30, "10:20:00"),
    ids: [known("1b6c0d9e8f7a4b5c93d2e1f0a9b8c7d6")],
    body: {
      name: "Second factor for administrators",
      action: "MFA",
      trigger: "access",
      enabled: true,
      simulation_mode: false,
      activity: { accessType: { include: ["RDP"] } },
      source_user: {
        groupMembership: { include: [known("8e2f5c17-0b94-4d6a-b3f8-1a7c9e0d5246")] },
        entityId: { exclude: [known(knownEntities.administrator)] },
      },
      destination: { entityId: { include: [known(knownEntities.controller)] } },
    },
  }),
  step("post_policy_rules", {
    at: at(29, "09:15:00"),
    by: "administrator",
    ids: [known("6d8fa1c3e5074b298a1b3d5f70e2c496")],
    body: {
      name: "Watch accesses through the federation",
      action: "ADD_TO_WATCH_LIST",
      trigger: "federatedAccess",
      enabled: true,
      simulation_mode: true,
    },
  }),
  step("post_policy_rules", {
    at: at(28, "16:05:00"),
    by: "administrator",
    ids: [known("b3d5f7091a2c4e6f80a2c4e6f8b1d3f5")],
    body: {
      name: "Block remote desktop on the weekend of the move",
      action: "BLOCK",
      trigger: "access",
      enabled: false,
      simulation_mode: false,
      activity: { accessType: { include: ["RDP"] } },
    },
  }),
];
