import { expect, test } from "vitest";
import { check } from "../testing/check.ts";
import { pathFileNameIsUrl } from "./path-file-name-is-url.ts";

const file = "get:\n  tags: [User Management]\n";

test("the URL with underscores for slashes, in the folder of the tag", () => {
  const reports = check(pathFileNameIsUrl, {
    "openapi.yaml":
      "paths:\n  /users/{uuid}/v1:\n    $ref: user-management/paths/users_{uuid}_v1.yaml\n",
    "user-management/paths/users_{uuid}_v1.yaml": file,
  });
  expect(reports).toEqual([]);
});

test("another name, another folder, a missing file and an unsorted list are found", () => {
  const reports = check(pathFileNameIsUrl, {
    "openapi.yaml": `paths:
  /users/v1:
    $ref: user-management/paths/users.yaml
  /roles/v1:
    $ref: ioc/paths/roles_v1.yaml
  /things/v1:
    get: {}
`,
    "user-management/paths/users.yaml": file,
    "ioc/paths/roles_v1.yaml": file,
  });
  expect(reports.map(({ line, found: what, expected }) => [line, what, expected])).toEqual([
    [2, "user-management/paths/users.yaml", "user-management/paths/users_v1.yaml"],
    [4, "/roles/v1 after /users/v1", "paths in sorted order"],
    [4, "ioc/paths/roles_v1.yaml", "user-management/paths/roles_v1.yaml"],
    [6, "a path without a file", "a $ref to the file of its Path Item"],
  ]);
});
