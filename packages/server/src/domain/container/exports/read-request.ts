import { FqlSyntaxError, where, type Predicate, type SortKey } from "@security-platform/fql";
import { errors, type Problem } from "../../../foundation/errors.ts";
import { filterReader } from "../../../records/filters.ts";
import type { ExportRequest } from "./export-jobs.ts";
import { exportedResource, type ExportedResource } from "./exported-resources.ts";

/** A validated export request. */
interface ReadRequest {
  /** Null: the export is empty. */
  readonly exported: ExportedResource | null;
  readonly predicate: Predicate;
  readonly sort: readonly SortKey[];
}

/** Checks a request; 400 with every problem. Relative times in `fql` refer to `now`. */
export function readRequest(request: ExportRequest, now: Date): ReadRequest {
  const { resource, fql = "", sort = "", expand_vulnerabilities = false } = request;
  const exported = exportedResource(request);
  const problems: Problem[] = [];
  if (expand_vulnerabilities && resource !== "images.vulnerabilities") {
    const message = `is only possible with images.vulnerabilities, not with ${resource}`;
    problems.push({ at: "body.expand_vulnerabilities", message });
  }
  /** The value of an expression over the fields of the resource. */
  const read = <Value>(name: "fql" | "sort", text: string, parse: () => Value, none: Value) => {
    if (text.trim() === "") return none;
    if (exported === null) {
      const message = `cannot be used with ${resource}, which has no fields on this platform; omit it`;
      problems.push({ at: `body.${name}`, message });
      return none;
    }
    try {
      return parse();
    } catch (error) {
      if (!(error instanceof FqlSyntaxError)) throw error;
      problems.push({ at: `body.${name}`, message: error.message });
      return none;
    }
  };
  const reader = filterReader(exported?.fields ?? {});
  const predicate = read("fql", fql, () => reader.predicate(fql, now), where.everything);
  const keys = read("sort", sort, () => reader.sortKeys(sort), []);
  if (problems.length > 0) throw errors.invalidRequest(problems);
  return { exported, predicate, sort: keys };
}
