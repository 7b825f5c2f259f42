import type { Rule } from "../rule.ts";
import type { Report } from "../finding.ts";
import type { SourceFile } from "../source-file.ts";
import {
  isObject,
  listIn,
  objectIn,
  report,
  type JsonObject,
  type OperationSpot,
} from "../specification.ts";

/** The declarations of a document: tags, security schemes and their scopes. */
export const noUnusedComponent: Rule = {
  name: "no-unused-component",
  *check({ roots, operations }) {
    for (const file of roots) {
      yield* checkDeclarations(
        file,
        operations.filter(({ root }) => root === file),
      );
    }
  },
};

function* checkDeclarations(
  file: SourceFile,
  operations: readonly OperationSpot[],
): Generator<Report> {
  const tags = new Set<unknown>();
  const schemes = new Map<string, Set<unknown>>();
  for (const { value } of operations) {
    for (const tag of listIn(value, "tags")) tags.add(tag);
    for (const requirement of listIn(value, "security")) {
      for (const [scheme, scopes] of Object.entries(requirement as JsonObject)) {
        const used = schemes.get(scheme) ?? new Set();
        for (const scope of scopes as readonly unknown[]) used.add(scope);
        schemes.set(scheme, used);
      }
    }
  }
  for (const [index, tag] of listIn(file.value, "tags").entries()) {
    const name = isObject(tag) ? String(tag["name"]) : "";
    if (!tags.has(name)) {
      yield report({ file, pointer: ["tags", index] }, `tag ${name}`, "an operation with this tag");
    }
  }
  const declared = objectIn(objectIn(file.value, "components"), "securitySchemes");
  for (const [scheme, description] of Object.entries(declared)) {
    const pointer = ["components", "securitySchemes", scheme];
    const used = schemes.get(scheme);
    if (used === undefined) {
      yield report({ file, pointer }, `security scheme ${scheme}`, "an operation with this scheme");
      continue;
    }
    for (const [flow, { scopes }] of Object.entries(objectIn(description, "flows")) as [
      string,
      JsonObject,
    ][]) {
      for (const scope of Object.keys(scopes as JsonObject)) {
        if (used.has(scope)) continue;
        const at = [...pointer, "flows", flow, "scopes", scope];
        yield report({ file, pointer: at }, `scope ${scope}`, "an operation with this scope");
      }
    }
  }
}
