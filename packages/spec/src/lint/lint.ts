import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { applyExceptions } from "./exceptions.ts";
import type { Finding } from "./finding.ts";
import { rules } from "./rules/index.ts";
import { sourceFiles } from "./source-file.ts";
import { Specification } from "./specification.ts";

/** Reads every YAML file below a folder. Throws if a file is not valid YAML. */
export function readSpecification(folder: string): Specification {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".yaml"))
    .map((path) => path.split(sep).join("/"))
    .toSorted();
  return new Specification(
    paths.flatMap((path) => sourceFiles(path, readFileSync(join(folder, path), "utf8"))),
  );
}

/** The findings of our own rules, except those in lint-exceptions.yaml, sorted by file and line. */
export function lint(specification: Specification): readonly Finding[] {
  const findings = rules.flatMap((rule) =>
    [...rule.check(specification)].map((report): Finding => ({ rule: rule.name, ...report })),
  );
  return applyExceptions(findings, specification.files.get("lint-exceptions.yaml")).toSorted(
    (left, right) =>
      left.file === right.file ? left.line - right.line : left.file < right.file ? -1 : 1,
  );
}
