import { nearest } from "@security-platform/fql";

/** `; did you mean severity?`, or an empty text if no known name is similar. */
export function suggestion(name: string, names: readonly string[]): string {
  const near = nearest(name, names);
  return near === undefined ? "" : `; did you mean ${near}?`;
}
