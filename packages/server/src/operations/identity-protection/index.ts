import { deletePolicyRules } from "./delete_policy_rules.ts";
import { getPolicyRules } from "./get_policy_rules.ts";
import { getPolicyRulesQuery } from "./get_policy_rules_query.ts";
import { getSensorAggregates } from "./GetSensorAggregates.ts";
import { getSensorDetails } from "./GetSensorDetails.ts";
import { postGraphql } from "./post_graphql.ts";
import { postPolicyRules } from "./post_policy_rules.ts";
import { querySensorsByFilter } from "./QuerySensorsByFilter.ts";

export const identityProtectionHandlers = {
  delete_policy_rules: deletePolicyRules,
  get_policy_rules: getPolicyRules,
  get_policy_rules_query: getPolicyRulesQuery,
  GetSensorAggregates: getSensorAggregates,
  GetSensorDetails: getSensorDetails,
  post_graphql: postGraphql,
  post_policy_rules: postPolicyRules,
  QuerySensorsByFilter: querySensorsByFilter,
};
