import { operations } from "@security-platform/spec";

/** Every scope that an operation of the document asks for, sorted. */
export const scopes = (): readonly string[] =>
  [...new Set(operations().flatMap(({ scope }) => scope ?? []))].toSorted();
