import { nearest } from "@security-platform/fql";

/** `; did you mean severity?`, or nothing where no known name is near. */
export function suggestion(name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  return near === undefined ? "" : `; did you mean ${near}?`;
}
