import { createHash } from "node:crypto";
import { document } from "@security-platform/spec";
import { readExpiration } from "../domain/ioc/expiration.ts";
import {
  indicators,
  inOrder,
  type Indicator,
  type IndicatorInput,
} from "../domain/ioc/indicators.ts";
import { newIndicator } from "../domain/ioc/new-indicator.ts";
import { recordTimestamp } from "../records/timestamp.ts";
import type { Importer } from "./kind.ts";

type History = Pick<Indicator, "id" | "created_by" | "created_on" | "modified_by" | "modified_on">;
type Line = Omit<IndicatorInput, "metadata"> &
  Partial<History> & { readonly metadata?: Indicator["metadata"] };

const input = document().components.schemas["IndicatorInput"] as {
  readonly properties: Readonly<Record<string, object>>;
  readonly required: readonly string[];
};
const timestamp = { type: "string", format: "date-time", maxLength: 35 };
const author = { type: "string", minLength: 1, maxLength: 256 };

/**
 * Indicators, one a line: what can be created, and what an export of indicators holds besides. They
 * keep to the rules between their members, but may have expired, and nothing about them is a warning.
 */
export const indicatorImporter: Importer<Line, Indicator> = {
  resource: indicators,
  schema: {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "An indicator",
    type: "object",
    additionalProperties: false,
    required: input.required,
    properties: {
      ...input.properties,
      id: {
        title: "64 lower-case hexadecimal digits",
        description:
          "Identifies the indicator; a line with a known id is left alone. Left out, it follows from type and value.",
        type: "string",
        pattern: "^[0-9a-f]{64}$",
      },
      metadata: { $ref: "#/components/schemas/IndicatorMetadata" },
      created_by: { description: "Who created it. Left out, `import`.", ...author },
      created_on: { description: "When. Left out, now.", ...timestamp },
      modified_by: { description: "Who changed it last. Left out, who created it.", ...author },
      modified_on: { description: "When. Left out, when it was created.", ...timestamp },
      expired: { description: "Ignored: it follows from `expiration`.", type: "boolean" },
      deleted: { description: "Only false: deleted indicators are not imported.", const: false },
      from_parent: { description: "Only false: import them into the parent.", const: false },
    },
  },
  read: (line, now) => {
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
};

const timestampOr = (text: string | undefined, otherwise: string): string =>
  (text === undefined ? null : recordTimestamp(text)) ?? otherwise;

/** The same value gets the same id, so that a list without ids can be imported again. */
const idOf = ({ type, value }: Indicator): string =>
  createHash("sha256").update(`${type}:${value}`).digest("hex");
