import { join } from "node:path";
import { operations } from "@security-platform/spec";

export const documents = ["openapi", "companion"] as const;
export type DocumentName = (typeof documents)[number];

/** The folder with the documents as published. */
export const documentsFolder = join(import.meta.dirname, "../../packages/spec/src/generated");
export const documentFile = (name: DocumentName): string => join(documentsFolder, `${name}.json`);

/** Generators turn `indicator.search.v1` into a name of their own style. */
const plain = (name: string): string => name.replaceAll(/[^A-Za-z0-9]/g, "").toLowerCase();

/** The expected names that a generator did not declare. */
export const missing = (
  names: readonly string[],
  expected: readonly string[],
): readonly string[] => {
  const plainNames = new Set(names.map(plain));
  return expected.filter((name) => !plainNames.has(plain(name)));
};

/** The operations of a document. */
export const idsOf = (name: DocumentName): readonly string[] =>
  operations()
    .filter(({ document }) => (document === "companion") === (name === "companion"))
    .map(({ id }) => id);
