import type { Host } from "../../inventory/hosts.ts";
import type { KnownId } from "../known-ids.ts";

/** What the steps of a story refer to. */
export interface Cast {
  readonly cid: string;
  readonly known: KnownId;
  /** The workstation on which the incident of the story began. */
  readonly workstation: Host;
  /** The hosts on which the loader of the incident ran, the workstation first. */
  readonly hosts: readonly string[];
  readonly people: { readonly administrator: string; readonly analyst: string };
  readonly groups: { readonly finance: string };
  /** The workstation that the loader of the incident has not reached until today. */
  readonly nextWorkstation: Host;
  /** The minute in which the world is generated. */
  readonly now: number;
  /** The instant so many days before today, at this time of day: `at(8, "07:58:20")`. */
  at(daysAgo: number, time: string): number;
}
