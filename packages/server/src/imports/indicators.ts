import { createHash } from "node:crypto";
import { readExpiration } from "../domain/ioc/expiration.ts";
import {
  indicators,
  inOrder,
  type Indicator,
  type IndicatorInput,
} from "../domain/ioc/indicators.ts";
import { hostGroupNoun, hostGroups } from "../inventory/host-groups.ts";
import { defined } from "../records/defined.ts";
import { newIndicator } from "../domain/ioc/new-indicator.ts";
import { withHistory } from "./history.ts";
import type { Importer } from "./kind.ts";

type KeptMembers = Pick<
  Indicator,
  "id" | "created_by" | "created_on" | "modified_by" | "modified_on"
>;
type Line = Omit<IndicatorInput, "metadata"> &
  Partial<KeptMembers> & { readonly metadata?: Indicator["metadata"] };

/**
 * Imports indicators, one per line, with the members of a new or an exported indicator. Rules between
 * members apply. An expiration may be in the past, and warnings are ignored.
 */
export const indicatorImporter: Importer<Line, Indicator> = {
  resource: indicators,
  read: (line, { now }) => {
    const { expiration, metadata, ...members } = line;
    const result = newIndicator(members, { actor: line.created_by ?? "import", now }, "");
    if ("problems" in result) {
      return { problems: result.problems.map(({ at, message }) => ({ at: at.slice(1), message })) };
    }
    const { indicator } = result;
    const created_on = line.created_on ?? indicator.created_on;
    const expires = readExpiration(expiration);
    return {
      record: inOrder({
        ...indicator,
        id: line.id ?? idOf(indicator),
        ...defined({ expiration: expires }),
        metadata: { ...indicator.metadata, ...metadata },
        created_on,
        modified_by: line.modified_by ?? indicator.created_by,
        modified_on: line.modified_on ?? created_on,
      }),
    };
  },
  begin: () => ({
    complete: async (transaction, records, now) => {
      const named = new Set(records.flatMap(({ host_groups }) => host_groups));
      const known = await transaction.records(hostGroups).get([...named], now);
      return records.map((record) => {
        const problems = record.host_groups.flatMap((id, index) =>
          known.has(id)
            ? []
            : [{ at: `host_groups[${index}]`, message: `there is no ${hostGroupNoun} ${id}` }],
        );
        return problems.length > 0 ? { problems } : { record };
      });
    },
  }),
  renew: (stored, newer) =>
    inOrder(
      withHistory(
        stored,
        {
          ...newer,
          record: {
            ...newer.record,
            id: stored.id,
            // Metadata that the line lacks stays.
            metadata: { ...stored.metadata, ...newer.line.metadata },
          },
        },
        { created: ["created_by", "created_on"], modified: ["modified_by", "modified_on"] },
      ),
    ),
};

/** Derived from the value, so that repeating the import of a list without ids changes nothing. */
const idOf = ({ type, value }: Indicator): string =>
  createHash("sha256").update(`${type}:${value}`).digest("hex");
