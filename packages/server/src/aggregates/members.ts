/** Readers for members that several types share. Each returns null after reporting a problem. */
import {
  FqlSyntaxError,
  lowerFilter,
  parseFilter,
  where,
  type Field,
  type Fields,
  type FieldType,
  type Predicate,
  type Scalar,
} from "@security-platform/fql";
import type { AggregateSpec, Setting } from "./aggregation.ts";
import type { Place } from "./problems.ts";
import { timeZone, utc, type TimeZone } from "./time-zone.ts";
import { readValue, valueNoun } from "./values.ts";

export interface TargetField {
  /** The name in the spelling of the fields table. */
  readonly name: string;
  readonly field: Field;
}

/** The field to aggregate on. `types`: the supported field types. */
export function readField(
  spec: AggregateSpec,
  place: Place,
  { fields, now }: Setting,
  types: readonly FieldType[],
): TargetField | null {
  const at = place.inside("field");
  if (!spec.field) return at.report(`${spec.type} requires the field to aggregate on`);
  const name = fieldName(spec.field, at, fields, now);
  const field = name === null ? undefined : fields[name];
  if (name === null || field === undefined) return null;
  if (types.includes(field.type)) return { name, field };
  return at.report(
    `${spec.type} supports fields of type ${types.join(" or ")}, but '${name}' is of type ${field.type}`,
  );
}

/** The filter language resolves the name, so that both accept the same spellings. */
function fieldName(written: string, at: Place, fields: Fields, now: Date): string | null {
  if (!/^[a-z_]\w*(\.[a-z_]\w*)*$/i.test(written)) return at.report(`unknown field '${written}'`);
  try {
    const filter = parseFilter(`${written}:*`);
    const predicate = lowerFilter(filter, aggregatable(fields), now);
    return predicate.kind === "present" ? predicate.field : null;
  } catch (error) {
    if (!(error instanceof FqlSyntaxError)) throw error;
    const nearest = error.suggestion === undefined ? "" : `; did you mean '${error.suggestion}'?`;
    return at.report(`${error.reason}${nearest}`);
  }
}

/** Aggregations also accept fields that are only sortable. */
const aggregatable = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, { ...field, filterable: true }]),
  );

/** The predicate of an FQL text. Matches everything without a text. Null after reporting an error. */
export function readFilter(
  text: string | undefined,
  at: Place,
  { fields, now }: Setting,
): Predicate | null {
  if (!text) return where.everything;
  try {
    return lowerFilter(parseFilter(text), fields, now);
  } catch (error) {
    if (error instanceof FqlSyntaxError) return at.report(error.message);
    throw error;
  }
}

export function readTimeZone(spec: AggregateSpec, place: Place): TimeZone | null {
  if (!spec.time_zone) return utc;
  return (
    timeZone(spec.time_zone) ??
    place
      .inside("time_zone")
      .report(
        `unknown time zone '${spec.time_zone}'; use an IANA name such as Europe/Berlin, or an ` +
          `offset such as +02:00`,
      )
  );
}

/** Reads a non-negative integer. */
export function readCount(value: number | undefined, at: Place, otherwise: number): number | null {
  if (value === undefined) return otherwise;
  if (Number.isSafeInteger(value) && value >= 0) return value;
  return at.report(`expected a whole number from 0, got ${value}`);
}

export interface CountBounds {
  readonly minimum: number;
  readonly maximum: number;
}

/** `min_doc_count` and `max_doc_count`, both inclusive. */
export function readCountBounds(
  spec: AggregateSpec,
  place: Place,
  otherwise: number,
): CountBounds | null {
  const minimum = readCount(spec.min_doc_count, place.inside("min_doc_count"), otherwise);
  const at = place.inside("max_doc_count");
  const maximum = readCount(spec.max_doc_count, at, Number.MAX_SAFE_INTEGER);
  if (minimum === null || maximum === null) return null;
  if (minimum > maximum && spec.min_doc_count !== undefined) {
    return at.report(`is less than min_doc_count ${minimum}: no bucket can have such a count`);
  }
  return { minimum, maximum };
}

export const hasCount =
  ({ minimum, maximum }: CountBounds) =>
  (count: number): boolean =>
    count >= minimum && count <= maximum;

/** The value for records that lack the field; undefined if absent. */
export function readMissing(
  spec: AggregateSpec,
  place: Place,
  { name, field }: TargetField,
  { now }: Setting,
  zone: TimeZone = utc,
): Scalar | undefined | null {
  if (spec.missing === undefined) return undefined;
  return (
    readValue(spec.missing, field, { zone, now }) ??
    place
      .inside("missing")
      .report(
        `expected ${valueNoun[field.type]}, as '${name}' is of type ${field.type}, got '${spec.missing}'`,
      )
  );
}
