import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "..");

const files = [
  ".github/workflows/*.{yml,yaml}",
  "examples/.github/workflows/*.{yml,yaml}",
  "packages/*/action.yml",
  "packages/*/README.md",
  "docs/guides/*.md",
  "README.md",
  "CONTRIBUTING.md",
].flatMap((pattern) => globSync(pattern, { cwd: root }));

/** Steps with an action of another repository, except placeholders of samples. */
const steps = files.flatMap((file) =>
  readFileSync(join(root, file), "utf8")
    .split("\n")
    .flatMap((line) => {
      const [, action = "", version = ""] = /^\s*(?:- )?uses:\s*([^@\s]+)(.*)$/.exec(line) ?? [];
      const isOther = action !== "" && !/^(?:\.|OWNER\/)/.test(action);
      return isOther ? [{ file, action, version }] : [];
    }),
);

test("actions of other repositories are pinned by a full commit hash, with the version beside it", () => {
  expect(new Set(steps.map(({ action }) => action))).toEqual(
    new Set([
      "actions/checkout",
      "actions/setup-node",
      "github/codeql-action/analyze",
      "github/codeql-action/init",
      "github/codeql-action/upload-sarif",
      "hashicorp/setup-terraform",
      "ossf/scorecard-action",
    ]),
  );
  const pinned = /^@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;
  expect(steps.filter(({ version }) => !pinned.test(version))).toEqual([]);
});

test("an action has one version everywhere", () => {
  const versions = new Map(steps.map(({ action, version }) => [action, version]));
  for (const { file, action, version } of steps) {
    expect(version, `${action} in ${file}`).toBe(versions.get(action));
  }
});

const workflows = files.filter((file) => file.startsWith(".github/workflows/"));

test.each(workflows)(
  "%s gets write access per job only, and keeps no token in the clone",
  (file) => {
    const text = readFileSync(join(root, file), "utf8");
    expect(text).toMatch(/^permissions:\n {2}contents: read\n(?! )/m);
    const checkouts = text.match(/uses: actions\/checkout@/g) ?? [];
    expect(checkouts.length).toBeGreaterThan(0);
    expect(text.match(/persist-credentials: false/g)).toHaveLength(checkouts.length);
  },
);
