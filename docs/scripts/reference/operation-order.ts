import type { Operation } from "@security-platform/spec";

/** The operations on one kind of record. */
export interface OperationGroup {
  /** `Indicators`. */
  readonly title: string;
  readonly operations: readonly Operation[];
}

/** Segments of a path, and their ends, that say how an operation works, not on what. */
const ways = /-download$/;
const kinds = new Set(["queries", "entities", "combined", "aggregates", "v1", "v2", "v3"]);
const methodOrder = ["get", "head", "post", "patch", "put", "delete"];
const kindOrder = ["combined", "queries", "entities", "aggregates"];

/**
 * The kinds of record that a reader looks for first in their collections, and what belongs to them. The others follow
 * in the order of their paths.
 */
const leading = [
  "Cases",
  "Case tags",
  "Files",
  "File details",
  "Templates",
  "Template snapshots",
  "Fields",
  "Devices",
  "Host groups",
  "Host group members",
  "IOA exclusions",
  "Image inventories",
  "Reports",
  "Policy checks",
  "Registries",
  "Policies",
  "Preventions",
];

/**
 * The operations of a collection by kind of record, in the order in which readers need them: find, read, create,
 * change, delete. Kinds with one operation are together in the last group.
 */
export function groupsOf(operations: readonly Operation[]): readonly OperationGroup[] {
  const groups = [...Map.groupBy(operations, ({ path }) => recordOf(path))];
  const several = groups
    .filter(([, members]) => members.length > 1)
    .toSorted(([left], [right]) => placeOf(left) - placeOf(right));
  const rest = groups.flatMap(([, members]) => (members.length > 1 ? [] : members));
  const titled = rest.length === 0 ? several : [...several, ["More", rest] as const];
  return titled.map(([title, members]) => ({
    title,
    operations: members.toSorted((left, right) => rank(left) - rank(right)),
  }));
}

const placeOf = (title: string): number =>
  leading.includes(title) ? leading.indexOf(title) : leading.length;

/** `/iocs/entities/indicators/v1` and `/iocs/combined/indicator/v1`: `Indicators`. */
function recordOf(path: string): string {
  const [first = "", ...rest] = path.split("/").slice(1);
  const [name = first] = rest.filter((part) => !kinds.has(part) && !part.startsWith("{"));
  const words = name
    .replace(ways, "")
    .split("-")
    .map((word) => acronyms[word] ?? word);
  const text = words.join(" ");
  const plural = text.endsWith("s") ? text : `${text}s`.replace(/ys$/, "ies");
  return `${plural.slice(0, 1).toUpperCase()}${plural.slice(1)}`;
}

const acronyms: Readonly<Record<string, string>> = {
  cid: "CID",
  ioa: "IOA",
  rtr: "RTR",
  slas: "SLAs",
  ss: "self-service",
};

function rank({ method, path }: Operation): number {
  const kind = kindOrder.findIndex((each) => path.includes(`/${each}/`));
  const isAggregate = path.includes("/aggregates/");
  const reads = method === "get" || method === "head";
  return (isAggregate ? 1_000 : 0) + (reads ? 0 : 100) + methodOrder.indexOf(method) * 10 + kind;
}
