import { evaluate, where, type Leaf, type Predicate, type Scalar } from "@security-platform/fql";
import { StoreError } from "../types/errors.ts";
import {
  platformCid,
  type ReaderField,
  type ReadScope,
  type RecordSource,
  type Resource,
  type SourceKind,
  type Tenant,
} from "../types/types.ts";

/** A place where records that a reader sees are stored, and the rules of the reader's scope for them. */
export interface Source extends RecordSource {
  /** The tenant id of the stored records. */
  readonly cid: string;
  /** The tenant that PostgreSQL's row-level security must allow. */
  readonly fence: string;
  /** The condition for records to be visible. Null: all records are visible. */
  readonly condition: Predicate | null;
  /** Fields of the query whose value depends on the reader. */
  readonly fields: ReadonlyMap<string, ReaderField>;
  /** Null: records are served as stored. */
  readonly show: ((record: object) => object) | null;
  /** The index of the source whose records replace those of this one. */
  readonly replacedBy: number | null;
}

/** A source whose records are all visible in their stored form. */
export const plainSource = (cid: string): Source => ({
  kind: "own",
  tenant: null,
  cid,
  fence: cid,
  condition: null,
  fields: noFields,
  show: null,
  replacedBy: null,
});

const noFields: ReadonlyMap<string, ReaderField> = new Map();

export const sourceKindsOf = ({ visibility }: Resource): readonly SourceKind[] =>
  visibility?.sources ?? ["own"];

/** Whether only the platform stores records of the resource. */
export const isPlatformOnly = (resource: Resource): boolean =>
  !sourceKindsOf(resource).includes("own");

/** Whether the sources of a scope depend on the tenants above it. */
export const needsAncestors = (resource: Resource, { records = "own" }: ReadScope): boolean =>
  records !== "own" && sourceKindsOf(resource).includes("ancestor");

/**
 * The sources of a reader, in the order of their records in lists without a sort. The platform comes before
 * the tenant; otherwise the nearest tenant comes first.
 */
export function sourcesOf(
  resource: Resource,
  scope: ReadScope,
  ancestors: readonly Tenant[],
): readonly Source[] {
  const { cid, records = "own" } = scope;
  const { visibility } = resource;
  if (cid === platformCid || visibility === undefined) {
    return records === "inherited" ? [] : [plainSource(cid)];
  }
  return storedSources(resource, records, cid, ancestors).map((source) => {
    const { condition: audience } = source;
    const condition = visibility.condition?.(scope, source) ?? null;
    const both = condition === null || audience === null ? null : where.all(audience, condition);
    const asStored = visibility.shownAsStored?.includes(source.kind) ?? false;
    return {
      ...source,
      condition: both ?? condition ?? audience,
      show:
        visibility.show === undefined || asStored
          ? null
          : (record) => visibility.show?.(record, scope, source) ?? record,
    };
  });
}

/** Like `sourcesOf`, but for transactions, which see everything that the tenant may see. */
export const sourcesOfTenant = (resource: Resource, cid: string): readonly Source[] =>
  cid === platformCid ? [plainSource(cid)] : storedSources(resource, "own", cid, []);

/** The sources with the tenant's records, those of an audience with the condition that the tenant belongs to it. */
function storedSources(
  resource: Resource,
  records: NonNullable<ReadScope["records"]>,
  cid: string,
  ancestors: readonly Tenant[],
): readonly Source[] {
  const kinds = sourceKindsOf(resource);
  const own = plainSource(cid);
  const sources: Source[] = [];
  if (records !== "inherited") {
    if (kinds.includes("platform")) {
      const audience = resource.visibility?.audience;
      const condition = audience === undefined ? null : where.equal(audience, cid);
      const replacedBy = kinds.includes("own") ? 1 : null;
      sources.push({ ...own, kind: "platform", cid: platformCid, condition, replacedBy });
    }
    if (kinds.includes("own")) sources.push(own);
  }
  if (records !== "own" && kinds.includes("ancestor")) {
    for (const tenant of ancestors) {
      sources.push({ ...plainSource(tenant.cid), kind: "ancestor", tenant });
    }
  }
  return sources;
}

/** The sources with those fields of a query whose value depends on the reader. */
export async function withReaderFields(
  resource: Resource,
  scope: ReadScope | null,
  sources: readonly Source[],
  names: readonly string[],
): Promise<readonly Source[]> {
  const { visibility } = resource;
  if (visibility === undefined) return sources;
  const { inheritedField } = visibility;
  const fields = scope?.cid === platformCid ? {} : (visibility.fields ?? {});
  const relative = names.filter((name) => name === inheritedField || Object.hasOwn(fields, name));
  if (relative.length === 0) return sources;
  const fieldOf = (name: string, source: Source): ReaderField | Promise<ReaderField> => {
    if (name === inheritedField) return { kind: "constant", value: source.kind === "ancestor" };
    const field = scope === null ? undefined : visibility.fieldFor?.(name, scope, source);
    if (field === undefined) {
      throw new StoreError(`${resource.name}: ${name} depends on the reader, and there is none`);
    }
    return field;
  };
  return Promise.all(
    sources.map(async (source) => {
      const entries = relative.map(async (name) => [name, await fieldOf(name, source)] as const);
      return { ...source, fields: new Map(await Promise.all(entries)) };
    }),
  );
}

/** The fields that a predicate names. */
export function fieldsIn(predicate: Predicate): readonly string[] {
  if ("operands" in predicate) return predicate.operands.flatMap(fieldsIn);
  if ("operand" in predicate) return fieldsIn(predicate.operand);
  return "field" in predicate ? [predicate.field] : [];
}

/** The predicate for the records of one source. It names only stored fields. */
export function inStoredFields(predicate: Predicate, { fields }: Source): Predicate {
  if (fields.size === 0) return predicate;
  const translated = (part: Predicate): Predicate => {
    if ("operands" in part) return { kind: part.kind, operands: part.operands.map(translated) };
    if ("operand" in part) return { kind: part.kind, operand: translated(part.operand) };
    const field = "field" in part ? fields.get(part.field) : undefined;
    return field === undefined ? part : predicateOnReaderField(part as Leaf, field);
  };
  return translated(predicate);
}

function predicateOnReaderField(leaf: Leaf, field: ReaderField): Predicate {
  switch (field.kind) {
    case "constant":
      return isTrueFor(leaf, field.value) ? where.everything : where.nothing;
    case "choice":
      return choicePredicate(
        field.when,
        isTrueFor(leaf, field.value),
        isTrueFor(leaf, field.otherwise),
      );
    case "elements": {
      const values = field.among.filter((value) => isTrueFor(leaf, value));
      const among = where.anyOf(field.of, values);
      return field.or === undefined ? among : where.any(among, { ...leaf, field: field.or });
    }
  }
}

/** Selects the records for which `when` is true, those for which it is not, all records, or none. */
function choicePredicate(when: Predicate, holding: boolean, others: boolean): Predicate {
  if (holding) return others ? where.everything : when;
  return others ? where.not(when) : where.nothing;
}

const isTrueFor = (leaf: Leaf, value: Scalar | null): boolean =>
  evaluate(
    { ...leaf, field: "value" },
    { value },
    { value: { type: typeof value === "boolean" ? "boolean" : "string" } },
  );
