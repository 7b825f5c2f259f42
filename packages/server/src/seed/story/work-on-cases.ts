import type { SeededCase } from "../cases.ts";
import { step, type Person, type Step } from "./step.ts";

const minute = 60_000;

interface Working {
  /** When the story ends, in milliseconds since 1970. */
  readonly until: number;
  readonly people: Readonly<Record<Person, string>>;
}

/** What people do with a case after its creation: someone takes it, closes it, and perhaps opens it again. */
export const workOnCase =
  ({ until, people }: Working) =>
  ({ stored, outcome: { status, person } }: SeededCase): readonly Step[] => {
    if (status === "new") return [];
    const { id, created_timestamp, severity } = stored;
    const created = Date.parse(created_timestamp);
    const left = until - created;
    const change = (at: number, by: Person, fields: ChangedFields): Step =>
      step("entities.cases.patch.v2", { at: Math.round(at), by, body: { id, fields } });
    // The more severe a case is, the sooner someone takes it.
    const taken = created + Math.min((105 - severity) * minute, left / 4);
    return [
      change(taken, person, { status: "in_progress", assigned_to_user_uuid: people[person] }),
      ...(status === "in_progress"
        ? []
        : [change(created + left / 3, person, { status: "closed" })]),
      ...(status === "reopened"
        ? [change(created + left / 2, "administrator", { status: "reopened" })]
        : []),
    ];
  };

interface ChangedFields {
  readonly status: "closed" | "in_progress" | "reopened";
  readonly assigned_to_user_uuid?: string;
}
