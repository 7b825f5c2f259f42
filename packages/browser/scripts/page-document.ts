import type { OpenApiDocument } from "@security-platform/spec";
import { limitedOperations, missingParts } from "./without-a-host.ts";

type PathItem = OpenApiDocument["paths"][string];

/** The document as a page serves it: it says what does not work there. */
export function pageDocument(document: OpenApiDocument): OpenApiDocument {
  const { info, paths } = document;
  const rows = Object.entries(missingParts).map(([part, instead]) => `- ${part}: ${instead}`);
  const section = `## In a page\nThis server runs in a web page, which does not have:\n\n${rows.join("\n")}\n`;
  return {
    ...document,
    info: { ...info, description: `${info.description.trimEnd()}\n\n${section}` },
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, item]) => [path, pageItem(item)] as const),
    ),
  };
}

const pageItem = (item: PathItem): PathItem =>
  Object.fromEntries(
    Object.entries(item).map(([method, operation]) => {
      const { operationId, description } = operation as Readonly<Record<string, string>>;
      const limit = limitedOperations[operationId as keyof typeof limitedOperations];
      if (limit === undefined) return [method, operation];
      const text = [description, `In a page: ${limit}.`].filter(Boolean).join("\n\n");
      return [method, { ...operation, description: text, "x-in-page": limit }];
    }),
  );
