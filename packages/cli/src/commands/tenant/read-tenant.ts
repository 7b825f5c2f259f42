import { listedIds } from "../../calls/ids.ts";
import { operationOf } from "../../calls/operations.ts";
import { CommandError } from "../../terminal/exit-codes.ts";
import { printable } from "../../terminal/printable.ts";
import type { Api, ApiRecord } from "./api.ts";
import { normalized } from "./compare.ts";
import { schemasOf } from "./file-schema.ts";
import type { Fields, Kind, Reference } from "./kind.ts";
import { kinds } from "./kinds.ts";
import { mapReferences } from "./references.ts";

/** A record of the tenant. */
export interface TenantRecord {
  readonly kind: Kind;
  /** What identifies it in files, as people read it: `Windows: Servers`. */
  readonly label: string;
  readonly id: string;
  readonly record: ApiRecord;
  readonly fields: Fields;
}

/** The configuration of a tenant. */
export interface Tenant {
  /** Records by kind and label; predefined ones are left out. */
  readonly records: ReadonlyMap<Kind, ReadonlyMap<string, TenantRecord>>;
  readonly names: Names;
  /** The records that refer to a record of a kind without updates, such as `classifications Contracts`. */
  readonly usersOf: (kind: Kind, id: string) => readonly string[];
}

export const labelOf = ({ key }: Kind, fields: Fields): string =>
  key.map((member) => String(fields[member])).join(": ");

/** The name of a record in references. */
export const nameOf = ({ key }: Kind, fields: Fields): string => String(fields[key.at(-1) ?? ""]);

export const idMember = ({ id = "id" }: Kind): string => id;

export const kindNamed = (name: string): Kind => {
  const kind = kinds.find((each) => each.name === name);
  if (kind === undefined) throw new RangeError(`there is no kind ${name}`);
  return kind;
};

/** The kinds with those that they refer to. */
export function withReferences(chosen: readonly Kind[]): readonly Kind[] {
  const needed = new Set(chosen);
  for (const kind of kinds.toReversed()) {
    if (!needed.has(kind)) continue;
    for (const { kind: name } of Object.values(kind.references ?? {})) needed.add(kindNamed(name));
  }
  return kinds.filter((kind) => needed.has(kind));
}

/**
 * Reads the records of some kinds, and the names that they refer to. Calls `warn` for references to records
 * that the tenant does not have; these are left out. Throws a `CommandError` if a name is not unique.
 */
export async function readTenant(
  chosen: readonly Kind[],
  api: Api,
  warn: (message: string) => void,
): Promise<Tenant> {
  const all = new Map<Kind, readonly ApiRecord[]>();
  const needed = [...new Set([...withReferences(chosen), ...usingReplaced(chosen)])];
  for (const kind of needed) all.set(kind, await readRecords(kind, api));
  const names = new Names(all);
  const records = new Map<Kind, ReadonlyMap<string, TenantRecord>>();
  for (const kind of chosen) {
    const own = (all.get(kind) ?? []).filter((record) => kind.isPredefined?.(record) !== true);
    const byLabel = new Map<string, TenantRecord>();
    for (const record of own) {
      const read = await readRecord(kind, record, names, api, warn);
      const { label, id } = read;
      const other = byLabel.get(label);
      if (other !== undefined) {
        throw new CommandError(
          `two ${kind.name} are called ${printable(label)}: ${other.id} and ${id}; give one of them another name`,
        );
      }
      byLabel.set(label, read);
    }
    records.set(kind, byLabel);
  }
  return { records, names, usersOf: (kind, id) => usersIn(all, kind, id) };
}

/** The kinds that refer to kinds without updates: their references decide whether a record can be replaced. */
const usingReplaced = (chosen: readonly Kind[]): readonly Kind[] =>
  kinds.filter(({ references = {} }) =>
    Object.values(references).some(({ kind: name }) => {
      const kind = kindNamed(name);
      return chosen.includes(kind) && kind.create !== undefined && kind.update === undefined;
    }),
  );

function usersIn(
  all: ReadonlyMap<Kind, readonly ApiRecord[]>,
  { name }: Kind,
  id: string,
): readonly string[] {
  const users = new Set<string>();
  for (const [kind, records] of all) {
    const { file } = schemasOf(kind);
    for (const record of records) {
      mapReferences(file, record, (reference, each) => {
        if (reference.kind === name && each === id) {
          users.add(`${kind.name} ${printable(labelOf(kind, record))}`);
        }
        return each;
      });
    }
  }
  return [...users];
}

export async function readRecord(
  kind: Kind,
  record: ApiRecord,
  names: Names,
  api: Api,
  warn: (message: string) => void,
): Promise<TenantRecord> {
  const { file } = schemasOf(kind);
  const label = labelOf(kind, record);
  const members: Record<string, unknown> = {};
  for (const name of Object.keys(file.properties ?? {})) {
    const rule = kind.members?.[name];
    const value =
      rule?.fromRecord === undefined ? record[name] : await rule.fromRecord(record, api);
    if (value !== undefined) members[name] = value;
  }
  const named = mapReferences(file, members, (reference, id, path) => {
    const name = names.nameOf(reference, id, `${kind.name} ${label}`);
    if (name === undefined) {
      warn(
        `${kind.name} ${label}: ${path.join(".")} refers to ${id}, which is none of the tenant's ` +
          `${reference.kind}; it is left out`,
      );
    }
    return name;
  });
  return {
    kind,
    label,
    id: String(record[idMember(kind)]),
    record,
    fields: (normalized(file, withoutGaps(named)) ?? {}) as Fields,
  };
}

/** Removes the places of references that were left out. */
function withoutGaps(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => item !== undefined).map(withoutGaps);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, withoutGaps(member)]),
  );
}

/** Reads the records of a kind, in the order of the API. */
async function readRecords(kind: Kind, api: Api): Promise<readonly ApiRecord[]> {
  const records: ApiRecord[] = [];
  for (const input of kind.listInputs ?? [{}]) {
    if (kind.read === undefined) {
      records.push(...(await api.list(kind.list, input)));
      continue;
    }
    const ids = await api.list<string>(kind.list, input);
    if (ids.length > 0) records.push(...(await readById(kind, ids, api)));
  }
  return records.filter(({ deleted }) => deleted !== true);
}

function readById({ read = "" }: Kind, ids: readonly string[], api: Api) {
  const isBody = listedIds(operationOf(read))?.place === "body";
  return api.list(read, isBody ? { body: { ids } } : { ids });
}

/** The names of all records, for references. */
export class Names {
  readonly #names = new Map<string, Map<string, string>>();
  readonly #ids = new Map<string, Map<string, string[]>>();

  constructor(all: ReadonlyMap<Kind, readonly ApiRecord[]>) {
    for (const [kind, records] of all) {
      const names = new Map<string, string>();
      const ids = new Map<string, string[]>();
      for (const record of records) {
        const [id, name] = [String(record[idMember(kind)]), nameOf(kind, record)];
        names.set(id, name);
        ids.set(name, [...(ids.get(name) ?? []), id]);
      }
      this.#names.set(kind.name, names);
      this.#ids.set(kind.name, ids);
    }
  }

  idsOf(kind: string, name: string): readonly string[] {
    return this.#ids.get(kind)?.get(name) ?? [];
  }

  /** The names of all records of a kind, also of predefined ones. */
  namesOf(kind: string): readonly string[] {
    return [...(this.#ids.get(kind)?.keys() ?? [])];
  }

  /** Adds a new record, or replaces the ids of its name. */
  set(kind: Kind, name: string, id: string): void {
    this.#ids.get(kind.name)?.set(name, [id]);
    this.#names.get(kind.name)?.set(id, name);
  }

  /** The name of a record; undefined if there is none. Throws a `CommandError` if others have it as well. */
  nameOf({ kind, literal }: Reference, id: string, user: string): string | undefined {
    const name = this.#names.get(kind)?.get(id);
    if (name === undefined) return undefined;
    const ids = this.idsOf(kind, name);
    if (ids.length === 1 && name !== literal) return name;
    const reason =
      name === literal
        ? `which means all ${kind} in files`
        : `like ${ids.length - 1} more: ${ids.join(", ")}`;
    throw new CommandError(
      printable(
        `${user} refers to one of the ${kind} that is called ${name}, ${reason}; give it another name`,
      ),
    );
  }
}
