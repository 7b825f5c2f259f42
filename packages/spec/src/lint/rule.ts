import type { Report } from "./finding.ts";
import type { Specification } from "./specification.ts";

/** One rule over spec/. It returns reports, and neither prints nor throws. */
export interface Rule {
  /** Kebab-case; also the name of its file. */
  readonly name: string;
  check(specification: Specification): Iterable<Report>;
}
