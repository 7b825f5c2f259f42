import { servedDocument } from "@security-platform/spec";
import { InvalidArgumentError } from "commander";
import { didYouMean } from "./options/read-choice.ts";

/** All scopes of the document's operations, sorted. */
export const allScopes = (): readonly string[] =>
  [...new Set(servedDocument().operations.flatMap(({ scope }) => scope ?? []))].toSorted();

/** Collects the scopes of a repeated option. */
export function readScope(text: string, earlier: readonly string[] = []): readonly string[] {
  const scopes = allScopes();
  if (scopes.includes(text)) return [...new Set([...earlier, text])];
  throw new InvalidArgumentError(
    `Expected one of ${scopes.join(", ")}.${didYouMean(text, scopes)}`,
  );
}
