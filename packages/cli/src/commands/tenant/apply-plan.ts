import { ApiError, ServerError } from "@security-platform/client";
import { isObject } from "../../calls/is-object.ts";
import { operationOf } from "../../calls/operations.ts";
import type { Input } from "../../calls/method-of.ts";
import { resolved } from "../../calls/schema.ts";
import { describeError } from "../../terminal/describe-error.ts";
import { CommandError, exitCodes, SilentExit } from "../../terminal/exit-codes.ts";
import { resourcesOf, type Api, type ApiRecord } from "./api.ts";
import { entryBefore, differences, emptyOf, merged, normalized } from "./compare.ts";
import { recordList, schemasOf } from "./file-schema.ts";
import type { Fields, FileSchema, Kind } from "./kind.ts";
import { comparable, type Change, type Plan, type Update } from "./plan.ts";
import {
  idMember,
  labelOf,
  nameOf,
  readRecord,
  type Tenant,
  type TenantRecord,
} from "./read-tenant.ts";
import { mapReferences } from "./references.ts";

export interface Target {
  readonly api: Api;
  readonly tenant: Tenant;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Applies the changes in their order, and stops at the first failure. A later import applies those that are left. */
export async function applyPlan(
  { changes }: Plan,
  target: Target,
  report: (done: number, change: Change) => void,
): Promise<void> {
  const application = new Application(target);
  for (const [index, change] of changes.entries()) {
    try {
      await application.apply(change);
    } catch (error) {
      if (error instanceof SilentExit) throw error;
      const place = "file" in change ? change.file.path : `${change.kind.name}, ${change.label}`;
      throw new CommandError(
        `${place}: ${describeError(error)}\n` +
          `${index} of ${changes.length} changes made; import again to make the others`,
        exitCodes.failure,
        { cause: error },
      );
    }
    report(index + 1, change);
  }
}

class Application {
  readonly #target: Target;
  /** The ids of new records, by kind and label. */
  readonly #created = new Map<string, string>();

  constructor(target: Target) {
    this.#target = target;
  }

  async apply(change: Change): Promise<void> {
    switch (change.action) {
      case "create":
        await this.#create(change.kind, change.file.fields);
        return;
      case "update":
        return this.#update(change.record, change.wanted);
      case "replace":
        return this.#replace(change);
      case "delete":
        return this.#remove(change.record);
      case "reorder": {
        const { kind, group, after } = change;
        const ids = after.map((name) => this.#idOf(kind, group, name));
        await kind.order?.set(group, ids, this.#target.api);
      }
    }
  }

  /**
   * Creates the new record before the old one is deleted, so that a refused request loses nothing. Kinds without
   * an update allow two records of one name.
   */
  async #replace({ kind, record, wanted }: Update): Promise<void> {
    const id = await this.#create(kind, wanted);
    try {
      await this.#remove(record);
    } catch (error) {
      // Two records of one name would stop the next import. After other errors the old one may be gone.
      if (error instanceof ApiError && !(error instanceof ServerError)) {
        await this.#remove({ ...record, id }).catch(() => undefined);
      }
      throw error;
    }
  }

  /** Returns the id of the new record. */
  async #create(kind: Kind, fields: Fields): Promise<string> {
    const { api, tenant } = this.#target;
    const { file, created } = schemasOf(kind);
    const members = Object.keys(fields).filter(
      (name) => created.has(name) && kind.members?.[name]?.write === undefined,
    );
    const values = members.map((name) => [name, this.#valueOf(kind, name, fields[name])] as const);
    const answer = await api.call(
      kind.create ?? "",
      requestOf(kind.create ?? "", kind, Object.fromEntries(values), fields),
    );
    const [record] = resourcesOf(answer) as readonly ApiRecord[];
    const id = String(record?.[idMember(kind)]);
    tenant.names.set(kind, nameOf(kind, fields), id);
    this.#created.set(`${kind.name}/${labelOf(kind, fields)}`, id);
    if (kind.update === undefined || record === undefined) return id;
    // Some members can only be changed.
    const read = await readRecord(kind, record, tenant.names, api, () => undefined);
    const wanted = normalized(file, merged(file, read.fields, fields));
    await this.#update(read, (wanted ?? {}) as Fields);
    return id;
  }

  async #update({ kind, id, record, fields }: TenantRecord, wanted: Fields): Promise<void> {
    const { api } = this.#target;
    const { file } = schemasOf(kind);
    const changes = differences(file, comparable(kind, fields), comparable(kind, wanted));
    const changed = [...new Set(changes.map(({ path }) => path[0] ?? ""))];
    const rules = kind.members ?? {};
    const inBody = changed.filter((name) => rules[name]?.write === undefined);
    if (inBody.length > 0) {
      const values = inBody.map((name) => {
        const schema = file.properties?.[name] ?? {};
        const value = this.#valueOf(kind, name, requestValue(schema, fields[name], wanted[name]));
        return [name, withEntryIds(schema, value, record[name])] as const;
      });
      const members = { ...Object.fromEntries(values), [idMember(kind)]: id };
      const operation = kind.update ?? "";
      await api.call(operation, requestOf(operation, kind, members, fields));
    }
    for (const name of changed) {
      const [before, after] = [fields[name], wanted[name]].map((value) =>
        this.#withIds(file.properties?.[name] ?? {}, value),
      );
      await rules[name]?.write?.({ record, before, after }, api);
    }
  }

  async #remove({ kind, id, record, fields }: TenantRecord): Promise<void> {
    const { api } = this.#target;
    await kind.release?.(record, api);
    const operation = kind.remove ?? "";
    await api.call(operation, requestOf(operation, kind, { [idMember(kind)]: id }, fields));
  }

  /** The value of a member in requests. */
  #valueOf(kind: Kind, name: string, value: unknown): unknown {
    const withIds = this.#withIds(schemasOf(kind).file.properties?.[name] ?? {}, value);
    const toRequest = kind.members?.[name]?.toRequest;
    if (toRequest === undefined || withIds === undefined) return withIds;
    return toRequest(withIds, (variable) => this.#target.environment[variable] ?? "");
  }

  #withIds(schema: FileSchema, value: unknown): unknown {
    const { names } = this.#target.tenant;
    return mapReferences(schema, value, ({ kind }, name) => {
      const [id] = names.idsOf(kind, name);
      if (id === undefined) throw new RangeError(`there are no ${kind} called ${name}`);
      return id;
    });
  }

  #idOf(kind: Kind, group: string, name: string): string {
    const label = labelOf(kind, { [kind.key[0] ?? ""]: group, [kind.key.at(-1) ?? ""]: name });
    const record = this.#target.tenant.records.get(kind)?.get(label);
    return this.#created.get(`${kind.name}/${label}`) ?? record?.id ?? "";
  }
}

/**
 * The input of an operation: its parameters from the members, or from the fields of the record, and all other
 * members in the body.
 */
function requestOf(operationId: string, kind: Kind, members: Fields, fields: Fields): Input {
  const { parameters, requestBody } = operationOf(operationId);
  const id = members[idMember(kind)];
  const input: Record<string, unknown> = {};
  const rest = { ...members };
  for (const { name, required, schema } of parameters) {
    if (!required) continue;
    if (kind.key.includes(name)) {
      input[name] = fields[name];
      delete rest[name];
    } else {
      input[name] = resolved(schema).type === "array" ? [id] : id;
      delete rest[idMember(kind)];
    }
  }
  if (requestBody === undefined) return input;
  const list = recordList(resolved(requestBody.schema));
  return { ...input, body: list === undefined ? rest : { [list.name]: [rest] } };
}

/** The new value of a member, with an explicit empty value for each that goes. Lists are sent as a whole. */
function requestValue(schema: FileSchema, before: unknown, wanted: unknown): unknown {
  const { properties } = schema;
  if (
    properties !== undefined &&
    [before, wanted].every((each) => each === undefined || isObject(each))
  ) {
    const [old, after] = [before, wanted] as readonly (Fields | undefined)[];
    const members = Object.entries(properties).map(([name, member]) => [
      name,
      requestValue(member, old?.[name], after?.[name]),
    ]);
    return Object.fromEntries(members.filter(([, value]) => value !== undefined));
  }
  return wanted === undefined && before !== undefined ? emptyOf(schema) : wanted;
}

/** Adds the ids of the entries that stay, so that they are changed and not replaced. */
function withEntryIds(schema: FileSchema, value: unknown, stored: unknown): unknown {
  const { items, properties, "x-entry-key": entryKey } = schema;
  if (Array.isArray(value)) {
    if (entryKey === undefined && items?.properties === undefined) return value;
    return value.map((item: unknown, index) => {
      const match = entryBefore(schema, stored, item, index);
      const inner = withEntryIds(items ?? {}, item, match);
      const id = isObject(match) ? match["id"] : undefined;
      return entryKey === undefined || id === undefined || !isObject(inner)
        ? inner
        : { id, ...inner };
    });
  }
  if (!isObject(value) || properties === undefined) return value;
  const old = isObject(stored) ? stored : {};
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      withEntryIds(properties[name] ?? {}, member, old[name]),
    ]),
  );
}
