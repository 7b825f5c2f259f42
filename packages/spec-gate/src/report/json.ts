import type { Change } from "../change.ts";
import type { Judgement } from "./report.ts";

export function jsonReport({ verdict, changes }: Judgement): string {
  const plain = changes.map(
    ({ rule, verdict: own, direction, place, message, affects }): Change => ({
      rule,
      verdict: own,
      direction,
      place,
      message,
      affects,
    }),
  );
  return `${JSON.stringify({ verdict, changes: plain }, null, 2)}\n`;
}
