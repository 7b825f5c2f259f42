import { expect, test } from "vitest";
import { releaseNotes } from "./release-notes.ts";

const server = `# @security-platform/server

## 0.2.0

### Minor Changes

- 1a2b3c4: Cases have owners.

  An owner is a user.

### Patch Changes

- Updated dependencies [1a2b3c4]
  - @security-platform/spec@0.2.0
- @security-platform/fql@0.2.0

## 0.1.0

### Minor Changes

- The first release.
`;

const client = `# @security-platform/client

## 0.2.0

### Minor Changes

- 1a2b3c4: Cases have owners.

  An owner is a user.

### Patch Changes

- 5d6e7f8: Retries end after a minute.
`;

const changelogs = [
  { name: "@security-platform/server", text: server },
  { name: "@security-platform/client", text: client },
];

test("the notes have each change of the version once, with the packages that it concerns", () => {
  expect(releaseNotes(changelogs, "0.2.0")).toBe(`## Minor Changes

- \`@security-platform/server\`, \`@security-platform/client\`: Cases have owners.

  An owner is a user.

## Patch Changes

- \`@security-platform/client\`: Retries end after a minute.
`);
});

test("a version that a changelog does not have is refused", () => {
  expect(() => releaseNotes(changelogs, "0.1.0")).toThrow(
    "the changelog of @security-platform/client does not have 0.1.0",
  );
});
