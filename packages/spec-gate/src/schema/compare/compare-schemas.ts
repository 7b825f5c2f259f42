import type { Verdict } from "../../change.ts";
import { compareLifecycle } from "../deprecation.ts";
import { Node, type Findings } from "../../findings.ts";
import { isObject, type Json } from "../../json.ts";
import { escapeToken } from "../../read/pointer.ts";
import {
  anyString,
  atomTypes,
  type Atom,
  type AtomType,
  type Canonical,
  type Conjunction,
  type SchemaNode,
  isAny,
} from "../canonical.ts";
import { numericOf } from "../../numeric.ts";
import type { SchemaReader } from "../schema-reader.ts";
import { isSameWriting } from "../same-writing.ts";
import { Subsumption } from "../subsumption.ts";
import { nameOf, pairAlternatives } from "./alternatives.ts";
import { alignByMember } from "./alignment.ts";
import { compareAnnotations } from "./annotations.ts";
import { compareChoices } from "./choices.ts";
import { compareArrays } from "./arrays.ts";
import { compareObjects } from "./objects.ts";
import { compareNumbers, compareStrings, compareValues } from "./scalars.ts";
import type { Mode, Site } from "./site.ts";

/** Compares pairs of schemas, each pair once for a direction. */
export class SchemaComparison {
  readonly base: SchemaReader;
  readonly revision: SchemaReader;
  readonly subsumption: Subsumption;
  readonly #findings: Findings;
  readonly #today: Date;
  readonly #nodes = new Map<string, Node>();
  /** Both documents hold the same components. */
  readonly isShared: boolean;

  constructor(base: SchemaReader, revision: SchemaReader, findings: Findings, today: Date) {
    this.base = base;
    this.revision = revision;
    this.subsumption = new Subsumption(base, revision);
    this.#findings = findings;
    this.#today = today;
    const { document: before } = base;
    const { document: after } = revision;
    this.isShared =
      before.files.size === 1 &&
      after.files.size === 1 &&
      before.version === after.version &&
      before.root["components"] === after.root["components"];
  }

  readonly #pending: (() => void)[] = [];

  /**
   * Compares the schemas that were found while others were compared. Schemas may lead to each other
   * over thousands of steps, so they wait here instead of on the stack.
   */
  finish(): void {
    for (let next = this.#pending.pop(); next !== undefined; next = this.#pending.pop()) next();
  }

  /** `pointer` is used if the schema is not in the document. */
  compare(
    parent: Node,
    base: Conjunction,
    revision: Conjunction,
    mode: Mode,
    pointer: string,
  ): void {
    if (this.#isSame(base, revision)) return;
    const keys = [this.base.key(base), this.revision.key(revision)];
    const key = [
      ...keys,
      mode.direction,
      mode.textual,
      mode.xml === undefined ? "" : JSON.stringify(mode.xml),
      mode.raw,
      mode.parts === undefined ? "" : JSON.stringify(mode.parts),
      mode.list,
      mode.muted === true,
      mode.isAlwaysSent === true,
      mode.place,
    ].join("|");
    const existing = this.#nodes.get(key);
    const node = existing ?? new Node();
    node.parents.add(parent);
    if (existing !== undefined) return;
    this.#nodes.set(key, node);
    const site = this.#site(node, base, revision, mode, pointer);
    this.#pending.push(() => this.#compareOrGiveUp(site, base, revision));
  }

  /** A schema whose parts refer to each other too deeply is not judged, but all others are. */
  #compareOrGiveUp(site: Site, base: Conjunction, revision: Conjunction): void {
    try {
      this.#compareNow(site, base, revision);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      if (this.#isSameWriting(base, revision)) return;
      site.report(
        "could-not-be-judged",
        "the schemas refer to each other too deeply; write them with fewer steps",
      );
    }
  }

  #compareNow(site: Site, base: Conjunction, revision: Conjunction): void {
    this.base.step();
    const { textual, raw } = site.mode;
    if (raw === "value" && isRaw(this.base, base) && isRaw(this.revision, revision)) return;
    const [before, after] = asTexts(
      isText(textual),
      this.base.canonical(base),
      this.revision.canonical(revision),
    );
    const isTooComplex = before.isTooComplex === true || after.isTooComplex === true;
    if (isTooComplex) {
      if (this.#isSameWriting(base, revision)) return;
      site.report(
        "could-not-be-judged",
        "the schema combines too many alternatives to compare them; write it with fewer",
      );
    }
    compareAnnotations(site, base, revision);
    if (!isTooComplex) {
      compareCanonical(site, before, after, isEmpty(base) !== isEmpty(revision));
    }
  }

  #isSameWriting(base: Conjunction, revision: Conjunction): boolean {
    return isSameWriting([this.base.document, this.revision.document], base, revision);
  }

  /** Whether two schemas need no comparison. */
  isSame(base: SchemaNode, revision: SchemaNode): boolean {
    return this.isShared && base === revision;
  }

  /** Whether both documents contain the same object, including everything that it refers to. */
  #isSame(base: Conjunction, revision: Conjunction): boolean {
    return (
      this.isShared &&
      base.length === revision.length &&
      base.every((node, index) => node === revision[index])
    );
  }

  #site(node: Node, base: Conjunction, revision: Conjunction, mode: Mode, fallback: string): Site {
    const own = {
      base: pointerOf(this.base, base),
      revision: pointerOf(this.revision, revision),
    };
    const pointer = own.revision ?? own.base ?? fallback;
    const report: Site["report"] = (rule, message, at = {}) => {
      const verdict: Verdict | undefined = mode.muted === true ? "none" : at.verdict;
      const after = written(this.revision, at.revision);
      const before = written(this.base, at.base);
      const suffix = at.member === undefined ? "" : `/properties/${escapeToken(at.member)}`;
      this.#findings.report(node, {
        rule,
        direction: mode.direction,
        pointer: after ?? before ?? `${pointer}${suffix}`,
        document: after === undefined && before !== undefined ? "base" : "revision",
        pointers: {
          base: before ?? `${own.base ?? pointer}${suffix}`,
          revision: after ?? `${pointer}${suffix}`,
        },
        message,
        ...(verdict === undefined ? {} : { verdict }),
        ...(at.values === undefined ? {} : { values: at.values }),
      });
    };
    return {
      node,
      mode,
      base: this.base,
      revision: this.revision,
      subsumption: this.subsumption,
      today: this.#today,
      report,
      descend: (before, after, changed = {}) => {
        const { place: _, list: __, isAlwaysSent: ___, parts: ____, ...inner } = mode;
        this.compare(node, before, after, { ...inner, ...changed }, pointer);
      },
      deprecation: (before, after) =>
        compareLifecycle("property", before, after, this.#today, report),
    };
  }
}

/** Whether a schema says of bytes only that they are bytes, in the ways of OpenAPI 3.0 and 3.1. */
export function isRaw(reader: SchemaReader, schema: Conjunction): boolean {
  const nodes = reader.outer(schema);
  return (
    nodes.some(
      ({ format, contentMediaType, contentEncoding }) =>
        format === "binary" || (contentMediaType !== undefined && contentEncoding === undefined),
    ) || isAny(reader.canonical(schema))
  );
}

const isText = (textual: Mode["textual"]): boolean =>
  textual !== undefined && textual !== "members";

/** The only values of an alternative, if they can be listed. */
const listed = ({ type, values }: Atom): readonly Json[] | undefined =>
  values ?? (type === "boolean" ? [true, false] : undefined);

/** Listed numbers and truth values that are written as text are listed texts. */
function asTexts(
  textual: boolean,
  base: Canonical,
  revision: Canonical,
): readonly [Canonical, Canonical] {
  const isListed = ({ atoms }: Canonical): boolean =>
    atoms.length > 0 &&
    atoms.every((atom) => listed(atom) !== undefined && /number|string|boolean/.test(atom.type));
  if (!textual || !isListed(base) || !isListed(revision)) return [base, revision];
  const texts = ({ atoms, ...others }: Canonical): Canonical => ({
    ...others,
    atoms: [
      {
        ...anyString,
        values: [...new Set(atoms.flatMap((atom) => (listed(atom) ?? []).map(String)))],
      },
    ],
  });
  return [texts(base), texts(revision)];
}

const pointerOf = (reader: SchemaReader, schema: Conjunction): string | undefined => {
  const [first] = reader.outer(schema);
  return first === undefined ? undefined : reader.document.pointer(first);
};

/** The place where a schema is defined or referenced. */
function written(reader: SchemaReader, schema: Conjunction | undefined): string | undefined {
  const node = schema?.find(isObject);
  return node === undefined ? undefined : reader.document.pointer(node);
}

/** Whether a schema has no keywords. */
const isEmpty = (schema: Conjunction): boolean =>
  schema.every((node) => isObject(node) && Object.keys(node).length === 0);

/** `isWhole`: one schema is empty, so that everything below is part of the change of type. */
function compareCanonical(
  site: Site,
  base: Canonical,
  revision: Canonical,
  isWhole: boolean,
): void {
  // A parameter, a header and a part of a form are texts, which are never null.
  if (!isText(site.mode.textual)) compareNull(site, base, revision);
  compareOpen(site, base, revision);
  compareChoices(site, base, revision);
  const types = new Set(atomTypes);
  if (compareTypes(site, base, revision, types) && isWhole) return;
  for (const type of types) {
    const before = base.atoms.filter((atom) => atom.type === type);
    const after = revision.atoms.filter((atom) => atom.type === type);
    const { pairs, removed, added } =
      alignByMember(site, before, after) ?? pairAlternatives(site, before, after);
    for (const [one, other] of pairs) compareAtoms(site, one, other);
    for (const atom of removed) {
      site.report("alternative-removed", `the alternative ${nameOf(atom)} was removed`);
    }
    for (const atom of added) {
      site.report("alternative-added", `the alternative ${nameOf(atom)} is new`);
    }
  }
}

function compareNull(site: Site, base: Canonical, revision: Canonical): void {
  if (base.nullable === revision.nullable) return;
  // A complete change of type is reported once.
  if (isAny(base) || isAny(revision)) return;
  if (revision.nullable) site.report("null-allowed", "null is allowed now");
  else site.report("null-forbidden", "null is no longer allowed");
}

function compareOpen(site: Site, base: Canonical, revision: Canonical): void {
  if ((base.open === true) === (revision.open === true)) return;
  const name = "the alternative that allows everything";
  if (revision.open === true) site.report("alternative-added", `${name} is new`);
  else site.report("alternative-removed", `${name} was removed`);
}

/** Reports types that only one side has, and removes them from `types`. Returns whether there are any. */
function compareTypes(
  site: Site,
  base: Canonical,
  revision: Canonical,
  types: Set<AtomType>,
): boolean {
  const has = ({ atoms }: Canonical, type: AtomType) => atoms.some((atom) => atom.type === type);
  const onlyBase = atomTypes.filter((type) => has(base, type) && !has(revision, type));
  const onlyRevision = atomTypes.filter((type) => !has(base, type) && has(revision, type));
  for (const type of atomTypes) {
    if (!has(base, type) || !has(revision, type)) types.delete(type);
  }
  const lost = onlyBase.filter((type) => !isWritten(site, base, revision, type));
  const gained = onlyRevision.filter((type) => !isWritten(reversed(site), revision, base, type));
  const words = `from ${typeText(site.base, base)} to ${typeText(site.revision, revision)}`;
  if (lost.length > 0 && gained.length > 0) {
    site.report("type-changed", `the type was changed ${words}`);
  } else if (lost.length > 0) site.report("type-narrowed", `the type was narrowed ${words}`);
  else if (gained.length > 0) site.report("type-widened", `the type was widened ${words}`);
  return lost.length + gained.length > 0;
}

const reversed = ({ mode, base, revision, subsumption }: Sides): Sides => ({
  mode,
  base: revision,
  revision: base,
  subsumption: subsumption.reverse,
});

type Sides = Pick<Site, "mode" | "base" | "revision" | "subsumption">;

/** Whether the serialised values of a type can also be parsed as another type. */
function isWritten(
  { mode, base, revision, subsumption }: Sides,
  from: Canonical,
  to: Canonical,
  type: AtomType,
): boolean {
  if (!isText(mode.textual)) return false;
  // Only parts of a message are objects; those of other forms have no common way to be written.
  const isPart = mode.textual === "part" && mode.list === "apart" && mode.raw !== undefined;
  if (type === "object" && !isPart) return false;
  if (type === "array") {
    return mode.list !== undefined && isOneItem({ base, revision, subsumption }, from, to);
  }
  const isPlain = type === "number" || type === "boolean";
  const hasText = ({ atoms }: Canonical): boolean => isPlain && atoms.some(isPlainText);
  if (hasText(to)) return true;
  const own = from.atoms.filter((atom) => atom.type === type);
  const values = own.map(listed);
  if (values.every((all) => all?.every((value) => acceptsText(revision, to, value)) === true)) {
    return true;
  }
  if (mode.list === undefined || (mode.list === "joined" && !isPlain)) return false;
  const items = to.atoms.flatMap((atom) =>
    atom.type === "array" && atom.prefix.length === 0 && atom.minItems <= 1 && atom.maxItems >= 1
      ? [revision.canonical(atom.rest)]
      : [],
  );
  return (
    items.some(hasText) ||
    own.every((atom) =>
      items.some(({ atoms }) => atoms.some((item) => subsumption.atomWithin(atom, item))),
    )
  );
}

/** Whether a schema allows a value that has the same text as this one. */
function acceptsText(reader: SchemaReader, schema: Canonical, value: Json): boolean {
  const text = String(value);
  const read = numericOf(text);
  const candidates: readonly Json[] = [
    text,
    ...(text.trim() !== "" && String(read) === text ? [read] : []),
    ...(text === "true" || text === "false" ? [text === "true"] : []),
  ];
  return candidates.some((each) => reader.acceptsCanonical(schema, each));
}

/** Whether lists have at most one item, which is sent like a single value that the other side allows. */
const isOneItem = (
  { base, revision, subsumption }: Omit<Sides, "mode">,
  from: Canonical,
  to: Canonical,
): boolean =>
  from.atoms.every((atom) => {
    if (atom.type !== "array") return true;
    if (atom.maxItems > 1 || atom.prefix.length > 0) return false;
    return base.canonical(atom.rest).atoms.every((item) => {
      const isScalar = item.type !== "array" && item.type !== "object";
      const isRead =
        isScalar &&
        to.atoms.some(
          (other) =>
            isPlainText(other) || (atom.minItems === 1 && subsumption.atomWithin(item, other)),
        );
      return isRead || listed(item)?.every((value) => acceptsText(revision, to, value)) === true;
    });
  });

const isPlainText = (atom: Atom): boolean =>
  atom.type === "string" &&
  atom.values === undefined &&
  atom.patterns.length === 0 &&
  atom.formats.length === 0 &&
  atom.minLength <= 1 &&
  atom.maxLength === Infinity;

function typeText(reader: SchemaReader, schema: Canonical): string {
  if (
    schema.atoms.length > 0 &&
    atomTypes.every((type) => schema.atoms.some((atom) => atom.type === type))
  ) {
    const excluded = schema.atoms.flatMap(({ conditions }) =>
      conditions.flatMap((condition) =>
        condition.kind === "not" ? [typeText(reader, reader.canonical(condition.schema))] : [],
      ),
    );
    if (excluded.length > 0) return `not ${[...new Set(excluded)].join(" and not ")}`;
    if (schema.nullable) return "any";
  }
  const names = schema.atoms.map((atom) =>
    atom.type === "number" && atom.integer ? "integer" : atom.type,
  );
  const all = [...new Set<string>(names), ...(schema.nullable ? ["null"] : [])];
  return all.length === 0 ? "nothing" : all.join(" | ");
}

function compareAtoms(outer: Site, base: Atom, revision: Atom): void {
  const site =
    base.label === undefined && revision.label === undefined ? outer : named(outer, base, revision);
  compareConditions(site, base, revision);
  if (compareValues(site, base, revision)) return;
  if (base.type === "number" && revision.type === "number") compareNumbers(site, base, revision);
  if (base.type === "string" && revision.type === "string") compareStrings(site, base, revision);
  if (base.type === "array" && revision.type === "array") compareArrays(site, base, revision);
  if (base.type === "object" && revision.type === "object") compareObjects(site, base, revision);
}

/** Names the alternative in messages. */
function named(site: Site, base: Atom, revision: Atom): Site {
  const name = revision.label ?? base.label ?? "";
  return {
    ...site,
    report: (rule, message, at) => site.report(rule, `alternative ${name}: ${message}`, at),
  };
}

function compareConditions(site: Site, base: Atom, revision: Atom): void {
  if (base.conditions.length === 0 && revision.conditions.length === 0) return;
  const { subsumption } = site;
  const wider = subsumption.conditionsWithin(base, revision);
  const narrower = subsumption.reverse.conditionsWithin(revision, base);
  if (wider && narrower) return;
  const kinds = [...new Set([...base.conditions, ...revision.conditions].map(({ kind }) => kind))];
  const words = kinds.join(" and ");
  if (narrower) site.report("condition-added", `${words} excludes more values`);
  else if (wider) site.report("condition-removed", `${words} excludes fewer values`);
  else site.report("condition-changed", `${words} excludes other values`);
}
