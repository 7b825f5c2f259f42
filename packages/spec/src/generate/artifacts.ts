import { readFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import type { Erratum } from "../errata/entry.ts";
import { readErrata } from "../errata/read-errata.ts";
import { mergeDocuments } from "../merge-documents.ts";
import { bundle } from "./bundle.ts";
import { calledDocument, methodIndex, withControl } from "./called-document.ts";
import { withEnumNames } from "./enum-names.ts";
import { envelopeDocument } from "./envelope-document.ts";
import { fqlTablesOf } from "./fql-uses.ts";
import { importRecordsModule } from "./import-records.ts";
import { importSchemas } from "./import-schemas.ts";
import { operationsIndex, sortedOperations } from "./operations-index.ts";
import { servedDocument } from "./served-document.ts";
import { surface } from "./surface.ts";
import { fqlTablesModule, operationIdsModule, typesModule } from "./typescript.ts";

export interface Artifacts {
  /** Text by file name, for `src/generated/`. */
  readonly files: Readonly<Record<string, string>>;
  /** The expected content of the committed lists of operations, by file name in `spec/`. */
  readonly surfaces: Readonly<Record<string, string>>;
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 1)}\n`;

/**
 * Generates everything that is derived from the documents; writes nothing. `root` is the repository.
 */
export async function makeArtifacts(root: string): Promise<Artifacts> {
  const document = bundle(root, "security-platform");
  const companion = bundle(root, "companion");
  const control = bundle(root, "control");
  const platformOperations = operationsIndex(document, "platform");
  const companionOperations = operationsIndex(companion, "companion");
  const controlOperations = operationsIndex(control, "control");
  const both = mergeDocuments(document, companion);
  const imported = importSchemas(root, document);
  const operations = sortedOperations([...platformOperations, ...companionOperations]);
  const forClients = withEnumNames(document);
  return {
    files: {
      "openapi.json": json(forClients),
      "openapi.yaml": stringify(forClients, { aliasDuplicateObjects: false, lineWidth: 0 }),
      "openapi.envelope.json": json(withEnumNames(envelopeDocument(document, platformOperations))),
      "companion.json": json(withEnumNames(companion)),
      "companion.envelope.json": json(
        withEnumNames(envelopeDocument(companion, companionOperations)),
      ),
      "import-schemas.json": `${JSON.stringify(imported)}\n`,
      "identity-graphql.json": json(identityGraphql(root)),
      "errata.json": json(errataBelow(join(root, "spec/errata"))),
      "operations.json": `${JSON.stringify(operations)}\n`,
      "served.json": `${JSON.stringify(servedDocument(both, operations))}\n`,
      "called.json": `${JSON.stringify(
        withControl(calledDocument(both, operations), calledDocument(control, controlOperations)),
      )}\n`,
      "control.json": json(withEnumNames(control)),
      "control-operations.json": `${JSON.stringify(controlOperations)}\n`,
      "control-types.ts": await typesModule(control),
      "methods.json": `${JSON.stringify(methodIndex(operations))}\n`,
      "operation-ids.ts": operationIdsModule(both, operations),
      "fql-tables.ts": fqlTablesModule(fqlTablesOf(both)),
      "import-records.ts": await importRecordsModule(both, imported),
      "types.ts": await typesModule(both),
    },
    surfaces: {
      "surface.txt": surface(platformOperations),
      "companion-surface.txt": surface(companionOperations),
    },
  };
}

/** The GraphQL schema of post_graphql as SDL, unchanged. */
const identityGraphql = (root: string): string =>
  readFileSync(join(root, "spec/identity-protection/schema.graphql"), "utf8");

/** Errata by collection, without their checks. */
const errataBelow = (folder: string): Readonly<Record<string, readonly Erratum[]>> =>
  Object.fromEntries(
    [...readErrata(folder)].map(([collection, entries]) => [
      collection,
      entries.map(({ place, kind, specification, document, reason }) => ({
        place,
        kind,
        specification,
        document,
        reason,
      })),
    ]),
  );
