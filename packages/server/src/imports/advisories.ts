import { rangeProblems } from "../domain/container/advisories/affected.ts";
import {
  advisories,
  advisoryOf,
  type Advisory,
} from "../domain/container/advisories/advisories.ts";
import type { OsvRecord } from "../domain/container/advisories/osv.ts";
import { orderingOf } from "../domain/container/versions/ecosystems.ts";
import type { Importer } from "./kind.ts";

/**
 * Imports advisories in the OSV format, one per line. A range that cannot contain a version is a problem.
 * Advisories of unknown ecosystems are stored too, because a later server may support them.
 */
export const advisoryImporter: Importer<OsvRecord, Advisory> = {
  resource: advisories,
  shared: true,
  read: (line) => {
    const problems = (line.affected ?? []).flatMap(({ package: named, ranges }, index) => {
      const ordering = named === undefined ? undefined : orderingOf(named.ecosystem);
      if (ordering === undefined) return [];
      return (ranges ?? []).flatMap((range, place) =>
        rangeProblems(range, `affected[${index}].ranges[${place}]`, ordering),
      );
    });
    return problems.length > 0 ? { problems } : { record: advisoryOf(line) };
  },
};
