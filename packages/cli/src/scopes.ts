import { servedDocument } from "@security-platform/spec";
import { InvalidArgumentError } from "commander";
import { didYouMean } from "./options/read-choice.ts";

/** Every scope that an operation of the document asks for, sorted. */
export const allScopes = (): readonly string[] =>
  [...new Set(servedDocument().operations.flatMap(({ scope }) => scope ?? []))].toSorted();

/** Collects the scopes of a repeated option. */
export function readScope(text: string, earlier: readonly string[] = []): readonly string[] {
  const known = allScopes();
  if (known.includes(text)) return [...new Set([...earlier, text])];
  throw new InvalidArgumentError(`Expected one of ${known.join(", ")}.${didYouMean(text, known)}`);
}
