import { expect, test } from "vitest";
import { check, onePath } from "../testing.ts";
import { explicitSecurity } from "./explicit-security.ts";

const root = `${onePath}components:
  securitySchemes:
    oauth2: { flows: { clientCredentials: { scopes: { "ioc-management:read": reads } } } }
    clientCredentials: { type: http }
`;

test("one known scope, other schemes and an explicit [] are fine", () => {
  const found = check(explicitSecurity, {
    "openapi.yaml": root,
    "ioc/paths/things_v1.yaml":
      "get:\n  security: [{ oauth2: ['ioc-management:read'] }]\npost:\n  security: []\nput:\n  security: [{ clientCredentials: [] }, {}]\n",
  });
  expect(found).toEqual([]);
});

test("no security, no or many or unknown scopes, unknown schemes are found", () => {
  const found = check(explicitSecurity, {
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
  expect(found.map(({ line, found: what }) => [line, what])).toEqual([
    [1, "no security"],
    [4, "0 scopes"],
    [6, "scope ioc-management:delete"],
    [8, "apiKey"],
  ]);
});
