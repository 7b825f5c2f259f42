import type { Verdict } from "../../change.ts";
import { compareLifecycle } from "../deprecation.ts";
import { Node, type Findings } from "../../findings.ts";
import { isObject } from "../../json.ts";
import { escapeToken } from "../../read/pointer.ts";
import { isAny, type Conjunction, type SchemaNode } from "../canonical.ts";
import type { SchemaReader } from "../schema-reader.ts";
import { isSameWriting } from "../same-writing.ts";
import { Subsumption } from "../subsumption.ts";
import { compareAnnotations } from "./annotations.ts";
import { compareCanonical } from "./canonicals.ts";
import type { Mode, Site } from "./site.ts";
import { asTexts, isText } from "./texts.ts";

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
      mode.isEmptyAbsent === true,
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
        const {
          place: _,
          list: __,
          isAlwaysSent: ___,
          parts: ____,
          isEmptyAbsent: _____,
          ...inner
        } = mode;
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
