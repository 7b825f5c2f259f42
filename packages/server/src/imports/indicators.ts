import { createHash } from "node:crypto";
import { readExpiration } from "../domain/ioc/expiration.ts";
import {
  indicators,
  inOrder,
  type Indicator,
  type IndicatorInput,
} from "../domain/ioc/indicators.ts";
import { newIndicator } from "../domain/ioc/new-indicator.ts";
import { timestampOr, withHistory } from "./history.ts";
import type { Importer } from "./kind.ts";

type Kept = Pick<Indicator, "id" | "created_by" | "created_on" | "modified_by" | "modified_on">;
type Line = Omit<IndicatorInput, "metadata"> &
  Partial<Kept> & { readonly metadata?: Indicator["metadata"] };

/**
 * Indicators, one a line: what can be created, and what an export of indicators holds besides. They
 * keep to the rules between their members, but may have expired, and nothing about them is a warning.
 */
export const indicatorImporter: Importer<Line, Indicator> = {
  resource: indicators,
  read: (line, { now }) => {
    const { expiration, metadata, ...members } = line;
    const made = newIndicator(members, { actor: line.created_by ?? "import", now }, "");
    if ("problems" in made) {
      return { problems: made.problems.map(({ at, message }) => ({ at: at.slice(1), message })) };
    }
    const { indicator } = made;
    const created_on = timestampOr(line.created_on, indicator.created_on);
    const expires = readExpiration(expiration);
    return {
      record: inOrder({
        ...indicator,
        id: line.id ?? idOf(indicator),
        ...(expires === undefined ? {} : { expiration: expires }),
        metadata: { ...indicator.metadata, ...metadata },
        created_on,
        modified_by: line.modified_by ?? indicator.created_by,
        modified_on: timestampOr(line.modified_on, created_on),
      }),
    };
  },
  renew: (stored, newer) =>
    inOrder(
      withHistory(
        stored,
        {
          ...newer,
          record: {
            ...newer.record,
            id: stored.id,
            // What was found out since stays where the line says nothing of it.
            metadata: { ...stored.metadata, ...newer.line.metadata },
          },
        },
        { created: ["created_by", "created_on"], modified: ["modified_by", "modified_on"] },
      ),
    ),
};

/** The same value gets the same id, so that a list without ids can be imported again. */
const idOf = ({ type, value }: Indicator): string =>
  createHash("sha256").update(`${type}:${value}`).digest("hex");
