import { expect, test } from "vitest";
import { calledAs } from "./called-as.ts";

test.each([
  [{}, "secplat"],
  [{ npm_package_name: "another-project", npm_lifecycle_event: "start" }, "secplat"],
  [
    { npm_package_name: "security-platform-api", npm_lifecycle_event: "start" },
    "npm run -s secplat --",
  ],
  [{ npm_package_name: "another-project", npm_lifecycle_event: "npx" }, "npx secplat"],
])("%j was called as %s", (environment, command) => {
  expect(calledAs(environment)).toBe(command);
});
