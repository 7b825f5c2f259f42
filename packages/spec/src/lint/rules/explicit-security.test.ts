import { expect, test } from "vitest";
import { check, onePath } from "../testing/check.ts";
import { explicitSecurity } from "./explicit-security.ts";

const root = `${onePath}components:
  securitySchemes:
    oauth2: { flows: { clientCredentials: { scopes: { "ioc-management:read": reads } } } }
    clientCredentials: { type: http }
`;

test("one known scope, other schemes and an explicit [] are valid", () => {
  const reports = check(explicitSecurity, {
    "openapi.yaml": root,
    "ioc/paths/things_v1.yaml":
      "get:\n  security: [{ oauth2: ['ioc-management:read'] }]\npost:\n  security: []\nput:\n  security: [{ clientCredentials: [] }, {}]\n",
  });
  expect(reports).toEqual([]);
});

test("missing security, no scope, several or unknown scopes, and unknown schemes are found", () => {
  const reports = check(explicitSecurity, {
    "openapi.yaml": root,
    "ioc/paths/things_v1.yaml": `get:
  summary: none
post:
  security: [{ oauth2: [] }]
put:
  security: [{ oauth2: ["ioc-management:delete"] }]
patch:
  security: [{ apiKey: [] }]
`,
  });
  expect(reports.map(({ line, found: what }) => [line, what])).toEqual([
    [1, "no security"],
    [4, "0 scopes"],
    [6, "scope ioc-management:delete"],
    [8, "apiKey"],
  ]);
});
