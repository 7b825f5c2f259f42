import { createPreventionPolicies } from "./createPreventionPolicies.ts";
import { deletePreventionPolicies } from "./deletePreventionPolicies.ts";
import { getPreventionPolicies } from "./getPreventionPolicies.ts";
import { performPreventionPoliciesAction } from "./performPreventionPoliciesAction.ts";
import { queryCombinedPreventionPolicies } from "./queryCombinedPreventionPolicies.ts";
import { queryCombinedPreventionPolicyMembers } from "./queryCombinedPreventionPolicyMembers.ts";
import { queryPreventionPolicies } from "./queryPreventionPolicies.ts";
import { queryPreventionPolicyMembers } from "./queryPreventionPolicyMembers.ts";
import { setPreventionPoliciesPrecedence } from "./setPreventionPoliciesPrecedence.ts";
import { updatePreventionPolicies } from "./updatePreventionPolicies.ts";

export const preventionPolicyHandlers = {
  createPreventionPolicies,
  deletePreventionPolicies,
  getPreventionPolicies,
  performPreventionPoliciesAction,
  queryCombinedPreventionPolicies,
  queryCombinedPreventionPolicyMembers,
  queryPreventionPolicies,
  queryPreventionPolicyMembers,
  setPreventionPoliciesPrecedence,
  updatePreventionPolicies,
};
