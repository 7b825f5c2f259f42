import { expect, test } from "vitest";
import { check, onePath } from "../testing/check.ts";
import { noUnusedComponent } from "./no-unused-component.ts";

test("unused tags, schemes and scopes are found", () => {
  const root = `${onePath}tags:
  - name: IOC
  - name: Nobody
components:
  securitySchemes:
    oauth2:
      flows:
        clientCredentials:
          scopes:
            ioc-management:read: used
            ioc-management:write: unused
    apiKey:
      type: apiKey
`;
  const reports = check(noUnusedComponent, {
    "openapi.yaml": root,
    "ioc/paths/things_v1.yaml":
      "get:\n  tags: [IOC]\n  security:\n    - oauth2: ['ioc-management:read']\n",
  });
  expect(reports.map(({ line, found: what }) => [line, what])).toEqual([
    [7, "tag Nobody"],
    [15, "scope ioc-management:write"],
    [16, "security scheme apiKey"],
  ]);
});
