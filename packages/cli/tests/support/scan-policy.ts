/** An image policy that blocks vulnerabilities of high severity for which a fix is available. */
export const policy = {
  uuid: "00000000-0000-4000-8000-000000000001",
  name: "No known holes",
  precedence: 1,
  policy_data: {
    rules: [
      {
        action: "block",
        policy_rules_data: {
          conditions: [
            { property: "severity", operator: "at_least", values: ["high"] },
            { property: "fix_available", operator: "any_of", values: ["true"] },
          ],
        },
      },
    ],
  },
};
