import { isDeepStrictEqual } from "node:util";
import { didYouMean } from "../../options/read-choice.ts";
import { differences, merged, normalized, type Difference } from "./compare.ts";
import { schemasOf } from "./file-schema.ts";
import type { Fields, Kind, Reference } from "./kind.ts";
import type { Folder, FolderProblems, FolderRecord } from "./read-folder.ts";
import { kindNamed, nameOf, type Tenant, type TenantRecord } from "./read-tenant.ts";
import { mapReferences } from "./references.ts";

export interface Creation {
  readonly action: "create";
  readonly kind: Kind;
  readonly label: string;
  readonly file: FolderRecord;
}

/** A record that is changed; `replace`: by a new one, because no operation changes it. */
export interface Update {
  readonly action: "update" | "replace";
  readonly kind: Kind;
  readonly label: string;
  readonly file: FolderRecord;
  readonly record: TenantRecord;
  readonly wanted: Fields;
  readonly differences: readonly Difference[];
}

export interface Deletion {
  readonly action: "delete";
  readonly kind: Kind;
  readonly label: string;
  readonly record: TenantRecord;
}

/** A new order of the records of a group. */
export interface Reordering {
  readonly action: "reorder";
  readonly kind: Kind;
  readonly label: string;
  readonly group: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

export type Change = Creation | Update | Deletion | Reordering;

/** What makes the tenant as the folder describes it. */
export interface Plan {
  /** The changes in the order in which they are applied. */
  readonly changes: readonly Change[];
  readonly unchanged: number;
  /** Records of the tenant that the folder does not describe, and that are kept. */
  readonly kept: readonly TenantRecord[];
}

interface Inputs {
  readonly folder: Folder;
  readonly tenant: Tenant;
  /** Whether records that the folder does not describe are deleted. */
  readonly prune: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly problems: FolderProblems;
}

/** Compares a folder with a tenant. Adds a problem for everything that cannot be applied. */
export function makePlan(inputs: Inputs): Plan {
  const { folder, tenant, prune } = inputs;
  const changes: Change[] = [];
  const others: TenantRecord[] = [];
  let unchanged = 0;
  for (const [kind, files] of folder.records) {
    const records = tenant.records.get(kind) ?? new Map<string, TenantRecord>();
    for (const file of files.values()) {
      checkReferences(file, inputs);
      const change = changeOf(file, records.get(file.label), inputs);
      if (change === undefined) unchanged += 1;
      else changes.push(change);
    }
    for (const record of records.values()) {
      if (!files.has(record.label) && kind.isPermanent?.(record.record) !== true)
        others.push(record);
    }
  }
  const reorderings = [...folder.orders].flatMap(([kind, groups]) =>
    [...groups].flatMap(([group, names]) => reorderingOf(kind, group, names, changes, inputs)),
  );
  const deletions = others.toReversed().map((record): Change => ({
    action: "delete",
    kind: record.kind,
    label: record.label,
    record,
  }));
  return {
    // An order names all records of its group, so it follows the deletions.
    changes: [...changes, ...(prune ? deletions : []), ...reorderings],
    unchanged,
    kept: prune ? [] : others,
  };
}

function changeOf(
  file: FolderRecord,
  record: TenantRecord | undefined,
  inputs: Inputs,
): Creation | Update | undefined {
  const { kind, label } = file;
  const { file: schema, updated } = schemasOf(kind);
  if (record === undefined) {
    checkVariables(file, Object.keys(file.fields), inputs);
    return { action: "create", kind, label, file };
  }
  const wanted = (normalized(schema, merged(schema, record.fields, file.fields)) ?? {}) as Fields;
  const changes = differences(schema, comparable(kind, record.fields), comparable(kind, wanted));
  if (changes.length === 0) return undefined;
  const members = new Set(changes.map(({ path }) => path[0] ?? ""));
  const action = kind.update === undefined ? "replace" : "update";
  for (const member of members) {
    if (action === "replace" || updated.has(member) || kind.members?.[member]?.write) continue;
    inputs.problems.add(
      file,
      [member],
      `${member} of ${label} cannot change from ${JSON.stringify(record.fields[member])}; ` +
        "choose another name, or delete the record first",
    );
  }
  const users = action === "replace" ? inputs.tenant.usersOf(kind, record.id) : [];
  if (users.length > 0) {
    inputs.problems.add(
      file,
      changes[0]?.path ?? [],
      `${label} cannot change, because no operation changes ${kind.name} and ${users.join(", ")} ` +
        `${users.length === 1 ? "refers" : "refer"} to it; choose another name, or remove the references first`,
    );
  }
  checkVariables(file, action === "replace" ? Object.keys(wanted) : members, inputs);
  return { action, kind, label, file, record, wanted, differences: changes };
}

/** The members that decide whether a record has changed. */
export const comparable = ({ members = {} }: Kind, fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      members[name]?.comparable?.(value) ?? value,
    ]),
  );

/** Adds a problem for each variable of a secret that is not set. */
function checkVariables(
  file: FolderRecord,
  members: Iterable<string>,
  { environment, problems }: Inputs,
): void {
  for (const member of members) {
    file.kind.members?.[member]?.toRequest?.(file.fields[member], (name) => {
      if (!environment[name])
        problems.add(file, [member], `set the variable ${name} to the secret`);
      return "";
    });
  }
}

/** Adds a problem for each reference to a record that will not exist. */
function checkReferences(file: FolderRecord, inputs: Inputs): void {
  const { kind, content } = file;
  mapReferences(schemasOf(kind).file, content, (reference, name, path) => {
    const problem = referenceProblem(reference, name, inputs);
    if (problem !== undefined) inputs.problems.add(file, path, `${path.join(".")}: ${problem}`);
    return name;
  });
}

function referenceProblem(
  reference: Reference,
  name: string,
  { folder, tenant, prune }: Inputs,
): string | undefined {
  const kind = kindNamed(reference.kind);
  const described = [...(folder.records.get(kind)?.values() ?? [])].map(({ fields }) =>
    nameOf(kind, fields),
  );
  if (described.includes(name)) return undefined;
  const ids = tenant.names.idsOf(reference.kind, name);
  if (ids.length > 1) return `the tenant has ${ids.length} ${reference.kind} called ${name}`;
  if (ids.length === 0) {
    const names = [...described, ...tenant.names.namesOf(reference.kind)];
    return `neither the tenant nor the folder has ${reference.kind} called ${name}.${didYouMean(name, names)}`;
  }
  const own = [...(tenant.records.get(kind)?.values() ?? [])];
  const isPruned = prune && own.some(({ id }) => ids.includes(id));
  return isPruned
    ? `the folder does not describe ${name} of ${reference.kind}, so --prune would delete it`
    : undefined;
}

function reorderingOf(
  kind: Kind,
  group: string,
  names: readonly string[],
  changes: readonly Change[],
  { folder, tenant, prune, problems }: Inputs,
): readonly Reordering[] {
  if (kind.order === undefined) return [];
  const { by } = kind.order;
  const described = [...(folder.records.get(kind)?.values() ?? [])]
    .filter(({ fields }) => fields[by] === group)
    .map(({ fields }) => nameOf(kind, fields));
  const existing = namesInOrder(tenant, kind, group).filter(
    (name) => !prune || described.includes(name),
  );
  const created = changes.flatMap((change) =>
    change.action === "create" && change.kind === kind && change.file.fields[by] === group
      ? [nameOf(kind, change.file.fields)]
      : [],
  );
  const before = [...existing, ...created];
  for (const [index, name] of names.entries()) {
    const path = [kind.name, group, String(index)];
    const problem = !before.includes(name)
      ? `${group} has no ${kind.name} called ${name}.${didYouMean(name, before)}`
      : names.indexOf(name) < index
        ? `${name} is listed twice`
        : undefined;
    if (problem === undefined || folder.orderFile === undefined) continue;
    problems.add(folder.orderFile, path, problem);
  }
  const after = [...names, ...before.filter((name) => !names.includes(name))];
  return isDeepStrictEqual(before, after)
    ? []
    : [{ action: "reorder", kind, label: `${group}: order`, group, before, after }];
}

/** The names of a group in the order of the tenant, without records that have no place in it. */
export function namesInOrder(tenant: Tenant, kind: Kind, group: string): readonly string[] {
  const { order, isPermanent } = kind;
  if (order === undefined) return [];
  const { by, placeOf } = order;
  const records = [...(tenant.records.get(kind)?.values() ?? [])].filter(
    ({ record }) => record[by] === group && isPermanent?.(record) !== true,
  );
  return (
    placeOf === undefined
      ? records
      : records.toSorted((one, other) => placeOf(one.record) - placeOf(other.record))
  ).map(({ fields }) => nameOf(kind, fields));
}
