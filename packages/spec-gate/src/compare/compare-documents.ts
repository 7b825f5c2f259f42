import { largest, type Finding, type Verdict } from "../change.ts";
import { Effort } from "../effort.ts";
import { Findings, Node } from "../findings.ts";
import { isObject, objectsOf, type Json } from "../json.ts";
import { malformedKeywords } from "../read/malformed-keywords.ts";
import type { LoadedDocument } from "../read/loaded-document.ts";
import type { LoadedFile } from "../read/loaded-file.ts";
import { SchemaComparison } from "../schema/compare/compare-schemas.ts";
import { isSameText } from "../schema/same-writing.ts";
import { SchemaReader } from "../schema/schema-reader.ts";
import { operationSite, type Comparison } from "./comparison.ts";
import { operationsOf } from "./document-model.ts";
import { compareOperations } from "./operations.ts";
import { compareSecuritySchemes } from "./security.ts";
import type { Scope } from "./scope.ts";
import { compareServers, movedPaths } from "./servers.ts";

export interface CompareOptions {
  /** The day of the comparison, for dates of removal. */
  readonly today: Date;
  /** Ends the comparison when its time is over. */
  readonly effort?: Effort;
  /** What is left out of the comparison. */
  readonly scope?: Scope;
}

export interface Result {
  readonly verdict: Verdict;
  /** Largest first, then by place. */
  readonly changes: readonly Finding[];
  /** What was read in a way that needs to be known. */
  readonly notes: readonly Note[];
}

/** A note about a place of a document. */
export interface Note {
  readonly document: "base" | "revision";
  readonly pointer: string;
  readonly message: string;
}

/** Compares two documents. Throws `CannotJudge` for a broken reference. */
export function compareDocuments(
  base: LoadedDocument,
  revision: LoadedDocument,
  options: CompareOptions,
): Result {
  const { today, effort = new Effort(), scope = {} } = options;
  if (areEqual(base, revision)) return resultOf([], malformedNotes(base, revision));
  const findings = new Findings();
  const schemas = new SchemaComparison(
    new SchemaReader(base, effort, revision),
    new SchemaReader(revision, effort, base),
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
  const moved = movedPaths(base, revision);
  // Where each operation has servers of its own, they are compared there.
  if ([base, revision].every(usesServers)) {
    compareServers(site, base.root["servers"], revision.root["servers"], moved);
  }
  compareSecuritySchemes(site);
  compareOperations(comparison, base.root["paths"], revision.root["paths"], {
    name: "operation",
    prefix: "",
    moved,
    scope,
  });
  compareOperations(comparison, webhooksOf(base), webhooksOf(revision), {
    name: "webhook",
    prefix: "webhook ",
    scope: { ...scope, stripPrefixes: [] },
  });
  compareComponents(comparison);
  schemas.finish();
  return resultOf(findings.all(), notesOf(schemas));
}

function usesServers(document: LoadedDocument): boolean {
  const operations = [...operationsOf(document, document.root["paths"]).values()];
  return operations.length === 0 || operations.some(({ servers }) => servers === undefined);
}

/** Whether all files are equal but for the version and the description of the API. */
function areEqual(base: LoadedDocument, revision: LoadedDocument): boolean {
  const [before, after] = [[...base.files.values()], [...revision.files.values()]];
  const contentOf = (file: LoadedFile | undefined, document: LoadedDocument): Json => {
    if (file?.root !== document.root) return file?.root ?? null;
    const { info: _, openapi: __, ...content } = document.root;
    return content;
  };
  return (
    base.version === revision.version &&
    !base.isIncomplete &&
    !revision.isIncomplete &&
    before.length === after.length &&
    before.every((file, index) =>
      isSameText(contentOf(file, base), contentOf(after[index], revision)),
    )
  );
}

function notesOf({ base, revision }: SchemaComparison): readonly Note[] {
  return [...malformedNotes(base.document, revision.document), ...readingNotes({ base, revision })];
}

/** More faults of one kind are counted. */
const mostMalformed = 20;

/** A fault that both documents have is told once. */
function malformedNotes(base: LoadedDocument, revision: LoadedDocument): readonly Note[] {
  const after = malformedKeywords(revision);
  const known = new Set(after.map(({ pointer, message }) => `${pointer} ${message}`));
  const before = malformedKeywords(base).filter(
    ({ pointer, message }) => !known.has(`${pointer} ${message}`),
  );
  return (
    [
      ["base", before],
      ["revision", after],
    ] as const
  ).flatMap(([document, faults]) => {
    const shown = faults.slice(0, mostMalformed).map((fault): Note => ({ document, ...fault }));
    const more = faults.length - shown.length;
    const message = `${more} more keywords are malformed`;
    return more > 0 ? [...shown, { document, pointer: "#", message }] : shown;
  });
}

function readingNotes({
  base,
  revision,
}: Pick<SchemaComparison, "base" | "revision">): readonly Note[] {
  return (
    [
      ["base", base],
      ["revision", revision],
    ] as const
  ).flatMap(([document, reader]) => {
    const [first, ...more] = reader.misplacedNullables;
    const nullables: readonly Note[] =
      first === undefined
        ? []
        : [
            {
              document,
              pointer: `${reader.document.pointer(first)}/nullable`,
              message: `OpenAPI ${reader.document.version} has no nullable; it is read as "or null" here${more.length === 0 ? "" : ` and in ${more.length} more schemas`}, write the type null instead`,
            },
          ];
    return [...nullables, ...reader.document.notes.map((note) => ({ document, ...note }))];
  });
}

export function resultOf(changes: readonly Finding[], notes: readonly Note[] = []): Result {
  const order: readonly Verdict[] = ["major", "minor", "patch", "none"];
  return {
    notes,
    verdict: largest(changes.map(({ verdict }) => verdict)),
    changes: changes.toSorted(
      (left, right) => order.indexOf(left.verdict) - order.indexOf(right.verdict),
    ),
  };
}

/** Webhooks have names instead of paths. In OpenAPI 3.0 documents they are in `x-webhooks`. */
export const webhooksOf = ({ root }: LoadedDocument) => root["webhooks"] ?? root["x-webhooks"];

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
