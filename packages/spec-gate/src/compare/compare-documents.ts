import { largest, type Finding, type Verdict } from "../change.ts";
import { Effort } from "../effort.ts";
import { Findings, Node } from "../findings.ts";
import { isObject, objectsOf } from "../json.ts";
import type { LoadedDocument } from "../read/loaded-document.ts";
import { SchemaComparison } from "../schema/compare/compare-schemas.ts";
import { SchemaReader } from "../schema/schema-reader.ts";
import { operationSite, type Comparison } from "./comparison.ts";
import { compareOperations } from "./operations.ts";
import { compareSecuritySchemes } from "./security.ts";
import { compareServers } from "./servers.ts";

export interface CompareOptions {
  /** The day of the comparison, for dates of removal. */
  readonly today: Date;
  /** Ends the comparison when its time is over. */
  readonly effort?: Effort;
}

export interface Result {
  readonly verdict: Verdict;
  /** Largest first, then by place. */
  readonly changes: readonly Finding[];
}

/** Compares two documents. Throws `CannotJudge` for a broken reference. */
export function compareDocuments(
  base: LoadedDocument,
  revision: LoadedDocument,
  options: CompareOptions,
): Result {
  const { today, effort = new Effort() } = options;
  const findings = new Findings();
  const schemas = new SchemaComparison(
    new SchemaReader(base, effort),
    new SchemaReader(revision, effort),
    findings,
    today,
  );
  const comparison: Comparison = {
    base,
    revision,
    schemas,
    findings,
    today,
    isShared: schemas.isShared,
  };
  const site = operationSite(comparison, new Node(), false);
  compareServers(site, base.root["servers"], revision.root["servers"]);
  compareSecuritySchemes(site);
  compareOperations(comparison, base.root["paths"], revision.root["paths"], {
    name: "operation",
    prefix: "",
  });
  compareOperations(comparison, webhooksOf(base), webhooksOf(revision), {
    name: "webhook",
    prefix: "webhook ",
  });
  compareComponents(comparison);
  return resultOf(findings.all());
}

export function resultOf(changes: readonly Finding[]): Result {
  const order: readonly Verdict[] = ["major", "minor", "patch", "none"];
  return {
    verdict: largest(changes.map(({ verdict }) => verdict)),
    changes: changes.toSorted(
      (left, right) => order.indexOf(left.verdict) - order.indexOf(right.verdict),
    ),
  };
}

/** Webhooks have names instead of paths. In OpenAPI 3.0 documents they are in `x-webhooks`. */
const webhooksOf = ({ root }: LoadedDocument) => root["webhooks"] ?? root["x-webhooks"];

function compareComponents({ base, revision, findings }: Comparison): void {
  const schemasOf = ({ root }: LoadedDocument) =>
    isObject(root["components"]) ? root["components"]["schemas"] : undefined;
  const names = new Set(objectsOf(schemasOf(revision)).map(([name]) => name));
  const node = new Node();
  for (const [name, schema] of objectsOf(schemasOf(base))) {
    if (names.has(name)) continue;
    findings.report(node, {
      rule: "component-removed",
      direction: "request",
      pointer: base.pointer(schema),
      document: "base",
      pointers: { base: base.pointer(schema), revision: base.pointer(schema) },
      message: `the component ${name} was removed`,
    });
  }
}
