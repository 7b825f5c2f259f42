import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parseDocument, visit, type Document } from "yaml";
import { documentText, yamlText } from "../../output/yaml-text.ts";
import { writeWholeFile } from "../../terminal/whole-file.ts";
import { differences } from "./compare.ts";
import { schemasOf } from "./file-schema.ts";
import type { Kind } from "./kind.ts";
import { comparable, namesInOrder } from "./plan.ts";
import { orderFileName, type Folder, type FolderRecord } from "./read-folder.ts";
import type { Tenant, TenantRecord } from "./read-tenant.ts";

/** What an export did, as paths relative to the folder. */
export interface Written {
  readonly written: readonly string[];
  readonly unchanged: number;
  readonly deleted: readonly string[];
  /** Files of records that the tenant does not have. */
  readonly kept: readonly string[];
}

/**
 * Writes the records of the tenant to a folder: one file a record. A file that describes a record keeps its
 * name, its comments and everything that has not changed. `existing`: what the folder has.
 */
export async function writeFolder(
  root: string,
  tenant: Tenant,
  existing: Folder,
  prune: boolean,
): Promise<Written> {
  const written: string[] = [];
  const stale: string[] = [];
  let unchanged = 0;
  const write = async (path: string, text: string | undefined): Promise<void> => {
    if (text === undefined) {
      unchanged += 1;
      return;
    }
    const target = resolve(root, path);
    mkdirSync(dirname(target), { recursive: true });
    await writeWholeFile(target, (append) => append(text));
    written.push(path);
  };
  for (const [kind, records] of tenant.records) {
    const files = existing.records.get(kind) ?? new Map<string, FolderRecord>();
    const paths = newPaths(kind, [...records.keys()], files);
    const sorted = [...records.values()].toSorted((one, other) =>
      one.label < other.label ? -1 : 1,
    );
    for (const record of sorted) {
      const file = files.get(record.label);
      if (file === undefined) await write(paths.get(record.label) ?? "", yamlText(record.fields));
      else await write(file.path, changedText(root, file, record));
    }
    for (const { label, path } of files.values()) if (!records.has(label)) stale.push(path);
  }
  const orders = ordersOf(tenant);
  const hasOrderFile = existsSync(join(root, orderFileName));
  const isOrdered = [...tenant.records.keys()].some(({ order }) => order !== undefined);
  if (Object.keys(orders).length > 0 || (hasOrderFile && isOrdered)) {
    await write(orderFileName, orderText(root, orders, tenant));
  }
  if (prune) for (const path of stale) rmSync(join(root, path));
  return {
    written,
    unchanged,
    ...(prune ? { deleted: stale, kept: [] } : { deleted: [], kept: stale }),
  };
}

/** A change at an alias would change every place that shares the value, or fail. */
function hasAliases(document: Document): boolean {
  let isFound = false;
  visit(document, {
    Alias: () => {
      isFound = true;
      return visit.BREAK;
    },
  });
  return isFound;
}

/** The text of a file with the new values of the record; undefined if nothing has changed. */
function changedText(
  root: string,
  { path, kind, fields }: FolderRecord,
  record: TenantRecord,
): string | undefined {
  const changes = differences(
    schemasOf(kind).file,
    comparable(kind, fields),
    comparable(kind, record.fields),
  );
  if (changes.length === 0) return undefined;
  const document = parseDocument(readFileSync(join(root, path), "utf8"));
  const valueOf = (name: string): unknown => {
    const kept = kind.members?.[name]?.kept;
    return kept === undefined ? record.fields[name] : kept(fields[name], record.fields);
  };
  if (hasAliases(document)) {
    const changed = new Set(changes.map(({ path: place }) => place[0] ?? ""));
    const members = Object.keys(record.fields).map((name) => [
      name,
      changed.has(name) ? valueOf(name) : fields[name],
    ]);
    return yamlText(Object.fromEntries(members));
  }
  for (const { path: place, after } of changes) {
    // A member that is compared in part is written as a whole.
    const [member = ""] = place;
    const isPart = kind.members?.[member]?.comparable !== undefined;
    const value = isPart ? valueOf(member) : after;
    if (value === undefined) document.deleteIn(place);
    else document.setIn(isPart ? [member] : place, document.createNode(value));
  }
  return documentText(document);
}

type Orders = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

/** The order of the records of each group, by kind. */
function ordersOf(tenant: Tenant): Orders {
  const kinds = [...tenant.records.keys()].map((kind) => {
    const groups = (kind.order?.groups ?? []).map(
      (group) => [group, namesInOrder(tenant, kind, group)] as const,
    );
    return [kind.name, Object.fromEntries(groups.filter(([, names]) => names.length > 0))] as const;
  });
  return Object.fromEntries(kinds.filter(([, groups]) => Object.keys(groups).length > 0));
}

/** The file of the orders with those of the exported kinds; undefined if nothing has changed. */
function orderText(root: string, orders: Orders, tenant: Tenant): string | undefined {
  const path = join(root, orderFileName);
  if (!existsSync(path)) return yamlText(orders);
  const before = readFileSync(path, "utf8");
  const document = parseDocument(before);
  const old = (document.toJS() ?? {}) as Orders;
  const changed = [...tenant.records.keys()]
    .map(({ name }) => name)
    .filter((name) => JSON.stringify(old[name]) !== JSON.stringify(orders[name]));
  if (changed.length === 0) return undefined;
  if (hasAliases(document)) {
    const kept = Object.entries(old).filter(([name]) => !changed.includes(name));
    return yamlText({ ...Object.fromEntries(kept), ...orders });
  }
  for (const name of changed) {
    if (orders[name] === undefined) document.deleteIn([name]);
    else document.setIn([name], document.createNode(orders[name]));
  }
  return documentText(document);
}

/** The paths of records without a file. Labels that would have the same path have a part of their hash. */
function newPaths(
  kind: Kind,
  labels: readonly string[],
  files: ReadonlyMap<string, FolderRecord>,
): ReadonlyMap<string, string> {
  const fresh = labels.filter((label) => !files.has(label));
  const taken = new Set([...files.values()].map(({ path }) => path.toLowerCase()));
  const pathOf = (slug: string): string => `${kind.name}/${slug}.yaml`;
  return new Map(
    fresh.map((label) => {
      const slug = slugOf(label);
      const isAmbiguous =
        slug === "" ||
        reservedNames.test(slug) ||
        taken.has(pathOf(slug)) ||
        fresh.some((other) => other !== label && slugOf(other) === slug);
      return [label, pathOf(isAmbiguous ? `${slug}-${hashOf(label)}`.replace(/^-/, "") : slug)];
    }),
  );
}

/** Windows has no files with these names. */
const reservedNames = /^(con|prn|aux|nul|com\d|lpt\d)$/;

/** File systems limit names to 255 bytes. */
const longestSlug = 60;

/** `Windows: Domain Controllers` becomes `windows-domain-controllers`. */
function slugOf(label: string): string {
  const slug = label
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .normalize("NFC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-|-$/g, "");
  const characters = [...slug];
  return characters.length <= longestSlug
    ? slug
    : `${characters.slice(0, longestSlug).join("")}-${hashOf(label)}`;
}

const hashOf = (text: string): string =>
  createHash("sha256").update(text).digest("hex").slice(0, 6);
