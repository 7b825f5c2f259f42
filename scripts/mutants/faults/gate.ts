import type { Groups } from "../fault.ts";

export const gateFaults: Groups = {
  "gate directions": [
    {
      breaks: "a narrowed request is no breaking change",
      file: "packages/spec-gate/src/rules/rule.ts",
      text: 'narrows: { request: "major", response: "patch" }',
      replacement: 'narrows: { request: "patch", response: "major" }',
      tests: [
        "packages/spec-gate/tests/rules.test.ts",
        "packages/spec-gate/tests/oasdiff.test.ts",
        "packages/spec-gate/src/compare/compare-documents.test.ts",
      ],
    },
    {
      breaks: "a widened response is no breaking change",
      file: "packages/spec-gate/src/rules/rule.ts",
      text: 'widens: { request: "minor", response: "major" }',
      replacement: 'widens: { request: "minor", response: "minor" }',
      tests: [
        "packages/spec-gate/tests/rules.test.ts",
        "packages/spec-gate/tests/oasdiff.test.ts",
        "packages/spec-gate/src/compare/compare-documents.test.ts",
      ],
    },
    {
      breaks: "a changed response is no breaking change",
      file: "packages/spec-gate/src/rules/rule.ts",
      text: 'changes: { request: "major", response: "major" }',
      replacement: 'changes: { request: "major", response: "minor" }',
      tests: [
        "packages/spec-gate/tests/rules.test.ts",
        "packages/spec-gate/tests/oasdiff.test.ts",
        "packages/spec-gate/src/compare/compare-documents.test.ts",
      ],
    },
    {
      breaks: "a rule has one verdict in both directions",
      file: "packages/spec-gate/src/rules/rule.ts",
      text: "rule[direction] ?? byEffect",
      replacement: "rule.request ?? byEffect",
      tests: [
        "packages/spec-gate/tests/rules.test.ts",
        "packages/spec-gate/tests/oasdiff.test.ts",
        "packages/spec-gate/src/compare/compare-documents.test.ts",
      ],
    },
    {
      breaks: "a lower maximum length is reported as a higher one",
      file: "packages/spec-gate/src/schema/compare/limits.ts",
      text: "} else if (revision < base) {",
      replacement: "} else if (revision > base) {",
      tests: [
        "packages/spec-gate/tests/rules.test.ts",
        "packages/spec-gate/tests/oasdiff.test.ts",
        "packages/spec-gate/src/compare/compare-documents.test.ts",
      ],
    },
    {
      breaks: "a higher minimum length is reported as a lower one",
      file: "packages/spec-gate/src/schema/compare/limits.ts",
      text: "if (step > 0) site.report(`${name}-raised`",
      replacement: "if (step < 0) site.report(`${name}-raised`",
      tests: [
        "packages/spec-gate/tests/rules.test.ts",
        "packages/spec-gate/tests/oasdiff.test.ts",
        "packages/spec-gate/src/compare/compare-documents.test.ts",
      ],
    },
    {
      breaks: "a limit that becomes exclusive is reported in the wrong direction",
      file: "packages/spec-gate/src/schema/compare/limits.ts",
      text: "revision.exclusive !== isUpper",
      replacement: "revision.exclusive === isUpper",
      tests: [
        "packages/spec-gate/tests/rules.test.ts",
        "packages/spec-gate/tests/oasdiff.test.ts",
        "packages/spec-gate/src/compare/compare-documents.test.ts",
      ],
    },
    {
      breaks: "a required parameter is reported as an optional one",
      file: "packages/spec-gate/src/compare/parameters.ts",
      text: 'const isRequired = after.node["required"] === true;\n    site',
      replacement: 'const isRequired = after.in === "path";\n    site',
      tests: [
        "packages/spec-gate/tests/rules.test.ts",
        "packages/spec-gate/tests/oasdiff.test.ts",
        "packages/spec-gate/src/compare/compare-documents.test.ts",
      ],
    },
    {
      breaks: "a parameter that became required is not reported",
      file: "packages/spec-gate/src/compare/parameters.ts",
      text: "if (!wasRequired && isRequired) {",
      replacement: "if (wasRequired && !isRequired && before === after) {",
      tests: [
        "packages/spec-gate/tests/rules.test.ts",
        "packages/spec-gate/tests/oasdiff.test.ts",
        "packages/spec-gate/src/compare/compare-documents.test.ts",
      ],
    },
    {
      breaks: "a 204 counts as an error",
      file: "packages/spec-gate/src/compare/responses.ts",
      text: "/^[123]/.test(status)",
      replacement: "/^200/.test(status)",
      tests: [
        "packages/spec-gate/tests/rules.test.ts",
        "packages/spec-gate/tests/oasdiff.test.ts",
        "packages/spec-gate/src/compare/compare-documents.test.ts",
      ],
    },
    {
      breaks: "a removal before its date is allowed",
      file: "packages/spec-gate/src/schema/lifecycle.ts",
      text: "return sunset.date <= today",
      replacement: "return sunset.date >= today",
      tests: [
        "packages/spec-gate/tests/rules.test.ts",
        "packages/spec-gate/tests/oasdiff.test.ts",
        "packages/spec-gate/src/compare/compare-documents.test.ts",
      ],
    },
    {
      breaks: "the removal of something that was never deprecated is allowed",
      file: "packages/spec-gate/src/schema/lifecycle.ts",
      text: "if (!isDeprecated || sunset?.date === undefined) return undefined;",
      replacement: "if (sunset?.date === undefined) return undefined;",
      tests: [
        "packages/spec-gate/tests/rules.test.ts",
        "packages/spec-gate/tests/oasdiff.test.ts",
        "packages/spec-gate/src/compare/compare-documents.test.ts",
      ],
    },
  ],
  "gate approvals": [
    {
      breaks: "an approval expires a day too early",
      file: "packages/spec-gate/src/policy/approvals.ts",
      text: "Date.parse(expiry) + day <= today.getTime()",
      replacement: "Date.parse(expiry) <= today.getTime()",
      tests: ["packages/spec-gate/tests/command.test.ts"],
    },
    {
      breaks: "an expired approval is accepted",
      file: "packages/spec-gate/src/policy/approvals.ts",
      text: "Date.parse(expiry) + day <= today.getTime()",
      replacement: "Date.parse(expiry) + day <= 0 * today.getTime()",
      tests: ["packages/spec-gate/tests/command.test.ts"],
    },
    {
      breaks: "an approval covers every rule",
      file: "packages/spec-gate/src/policy/approvals.ts",
      text: "matchesGlob(rule, change.rule) && isAt(change, place)",
      replacement: "isAt(change, place)",
      tests: ["packages/spec-gate/tests/command.test.ts"],
    },
    {
      breaks: "a version that is not raised enough is accepted",
      file: "packages/spec-gate/src/policy/version.ts",
      text: "if (!isLarger(needed, step)) return [];",
      replacement: 'if (!isLarger(needed, step) || step === "patch") return [];',
      tests: ["packages/spec-gate/tests/command.test.ts"],
    },
    {
      breaks: "before 1.0.0 a breaking change needs a major version",
      file: "packages/spec-gate/src/policy/version.ts",
      text: 'lessened = { major: "minor",',
      replacement: 'lessened = { major: "major",',
      tests: ["packages/spec-gate/tests/command.test.ts"],
    },
  ],
};
