import { Readable } from "node:stream";
import type { CompatQuirks } from "@security-platform/spec";
import type { ApiError } from "../../foundation/errors.ts";
import type { Answer as AnyAnswer, PageData, SkippedItem } from "../../calls/answer.ts";

/** Answers whose body is complete before it is sent. */
type Answer = Exclude<AnyAnswer, { kind: "file" | "large-object" }>;
type BodyAnswer = Exclude<Answer, { kind: "none" }>;

export const envelopeMediaType = "application/vnd.security-platform.envelope+json";
export const jsonMediaType = "application/json; charset=utf-8";

/** Request data that both representations report. */
export interface Meta {
  readonly traceId: string;
  /** Milliseconds since the request arrived. */
  readonly elapsed: number;
}

/** Request data for links to neighbouring pages. */
export interface RequestedPage {
  readonly url: string;
  /** The parameter that takes the cursor of the previous page. */
  readonly cursorParameter: string;
}

/** How a success is represented. */
export interface AnswerForm {
  readonly envelope: boolean;
  readonly mediaType: string;
  /** The quirks of existing clients, such as where they expect the content of the Envelope. */
  readonly quirks: CompatQuirks;
}

/** The form of responses outside all operations. */
export const bareForm: AnswerForm = { envelope: false, mediaType: jsonMediaType, quirks: {} };

export interface Representation {
  readonly headers: Record<string, string>;
  readonly body: string;
}

/**
 * The response to a successful request: by default a bare array or object with page data in headers,
 * otherwise the Envelope, which also has the page data in `meta.pagination`.
 */
export function represent(
  answer: Answer,
  form: AnswerForm,
  meta: Meta,
  request: RequestedPage,
): Representation {
  if (answer.kind === "none") {
    // Existing clients read the headers only if the response is declared as JSON.
    const type = form.mediaType === jsonMediaType ? {} : { "content-type": form.mediaType };
    return { headers: { ...answer.headers, ...type }, body: "" };
  }
  const headers = "page" in answer && answer.page ? pageHeaders(answer.page, request) : {};
  if ("skipped" in answer && answer.skipped && answer.skipped.length > 0) {
    headers["x-skipped-items"] = positions(answer.skipped);
  }
  if ((answer.kind === "records" || answer.kind === "ids") && answer.affected !== undefined) {
    headers["x-affected-count"] = String(answer.affected);
  }
  headers["content-type"] = form.mediaType;
  return { headers, body: bodyOf(answer, form, meta) };
}

/** The response with an object that is sent while it is read. */
export async function representLarge(
  { bytes, open }: Extract<AnyAnswer, { kind: "large-object" }>,
  { envelope: isEnvelope, mediaType, quirks }: AnswerForm,
  meta: Meta,
): Promise<{ readonly headers: Record<string, string>; readonly body: Readable }> {
  const isBare = !isEnvelope || quirks.object === "top-level";
  const [start, end] = isBare ? ["", ""] : envelopeAround(meta);
  const object = await open();
  return {
    headers: {
      "content-type": mediaType,
      "content-length": String(Buffer.byteLength(start) + bytes + Buffer.byteLength(end)),
    },
    body: isBare ? object : Readable.from(joined(start, object, end), { objectMode: false }),
  };
}

/** The text before and after the only entry of `resources`. */
function envelopeAround(meta: Meta): readonly [string, string] {
  const whole = wrap(metaText(meta), "[]");
  const inside = whole.lastIndexOf("[],") + 1;
  return [whole.slice(0, inside), whole.slice(inside)];
}

async function* joined(start: string, content: Readable, end: string): AsyncIterable<Buffer> {
  yield Buffer.from(start);
  yield* content as AsyncIterable<Buffer>;
  yield Buffer.from(end);
}

function bodyOf(
  answer: BodyAnswer,
  { envelope: isEnvelope, mediaType, quirks }: AnswerForm,
  meta: Meta,
): string {
  if (isEnvelope) {
    const plain = mediaType === envelopeMediaType ? undefined : quirks.plain;
    return plain === "empty-text" ? '""' : envelope(answer, meta, quirks, plain);
  }
  return answer.kind === "envelope" ? envelope(answer, meta, {}) : bare(answer, meta);
}

/** An error in either representation. `resources`: whether the response always has this member. */
export function representError(
  error: ApiError,
  meta: Meta,
  resourcesAlways = false,
): Representation {
  const records = error.resources ?? (resourcesAlways ? [] : undefined);
  const resources = records === undefined ? "" : `,"resources":[${records.join(",")}]`;
  return {
    headers: { "content-type": jsonMediaType, ...error.headers },
    body: `{"meta":${metaText(meta)}${resources},"errors":${JSON.stringify(error.entries)}}`,
  };
}

function bare(answer: Exclude<BodyAnswer, { kind: "envelope" }>, meta: Meta): string {
  switch (answer.kind) {
    case "records":
      return `[${answer.records.join(",")}]`;
    case "ids":
      return JSON.stringify(answer.ids);
    case "object":
      return objectText(answer, meta);
  }
}

function objectText(
  { object, withMeta }: Extract<BodyAnswer, { kind: "object" }>,
  meta: Meta,
): string {
  const text = JSON.stringify(object);
  return withMeta === true ? `{"meta":${metaText(meta)},${text.slice(1)}` : text;
}

function envelope(
  answer: BodyAnswer,
  meta: Meta,
  { object, offset, recordDefaults }: CompatQuirks,
  plain?: Exclude<CompatQuirks["plain"], "empty-text">,
): string {
  switch (answer.kind) {
    case "records": {
      const { records, page, skipped, affected } = answer;
      const own = page && inMeta(page, records.length, offset);
      const texts = recordDefaults === undefined ? records : completed(records, recordDefaults);
      const list = `[${texts.join(",")}]`;
      return wrap(metaText(meta, own, affected, skipped), list, plain === "both-names");
    }
    case "ids": {
      const { ids, page, affected } = answer;
      const text = metaText(meta, page && inMeta(page, ids.length, offset), affected);
      return wrap(text, JSON.stringify(ids));
    }
    case "object": {
      const text = objectText(answer, meta);
      if (object === "top-level") return text;
      const isResources = object === "resources" || Array.isArray(answer.object);
      return wrap(metaText(meta), isResources ? text : `[${text}]`);
    }
    case "envelope":
      return wrap(
        metaText(meta, undefined, answer.affected),
        JSON.stringify(resourcesOf(answer, typeof plain === "object" ? plain.member : undefined)),
      );
  }
}

function resourcesOf(
  { resources = [] }: Extract<BodyAnswer, { kind: "envelope" }>,
  member: string | undefined,
): unknown {
  return member === undefined
    ? resources
    : (resources as Readonly<Record<string, unknown>>)[member];
}

/** The content of `meta.pagination`. For some operations its offset differs from the header's. */
function inMeta(page: PageData, count: number, quirk: CompatQuirks["offset"]): object {
  const { limit, offset, total, after, expires } = page;
  if (quirk === "cursor") {
    // The clients expect Unix nanoseconds.
    const expiry = expires === undefined ? {} : { expires_at: expires.getTime() * 1_000_000 };
    return { limit, offset: after ?? "", total, ...expiry };
  }
  return {
    limit,
    ...(offset === undefined ? {} : { offset: offsetFor(quirk, offset, count) }),
    ...(total === undefined ? {} : { total }),
    ...(after === undefined ? {} : { after }),
  };
}

const completed = (
  records: readonly string[],
  defaults: Readonly<Record<string, object>>,
): readonly string[] =>
  records.map((text) => JSON.stringify({ ...defaults, ...(JSON.parse(text) as object) }));

function offsetFor(quirk: CompatQuirks["offset"], offset: number, count: number): number | string {
  if (quirk === undefined) return offset;
  return quirk === "after-page-text" ? String(offset + count) : offset + count;
}

function wrap(meta: string, resources: string, inBothNames = false): string {
  const capital = inBothNames ? `"Resources":${resources},` : "";
  return `{"meta":${meta},${capital}"resources":${resources},"errors":[]}`;
}

function metaText(
  meta: Meta,
  pagination?: object,
  affected?: number,
  skipped: readonly SkippedItem[] = [],
): string {
  return JSON.stringify({
    query_time: Math.round(meta.elapsed * 1_000) / 1_000_000,
    powered_by: "security-platform",
    trace_id: meta.traceId,
    ...(pagination === undefined ? {} : { pagination }),
    ...(affected === undefined ? {} : { writes: { resources_affected: affected } }),
    ...(skipped.length === 0 ? {} : { warnings: warnings(skipped) }),
  });
}

const warnings = (skipped: readonly SkippedItem[]) =>
  skipped.map(({ message, id }) => ({ message, ...(id === undefined ? {} : { id }) }));

/** Positions in ascending order, with adjacent ones as a range: `1, 4-6`. */
function positions(skipped: readonly SkippedItem[]): string {
  const ranges: { first: number; last: number }[] = [];
  for (const { index } of skipped) {
    const range = ranges.at(-1);
    if (range !== undefined && index === range.last + 1) range.last = index;
    else ranges.push({ first: index, last: index });
  }
  return ranges
    .map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`))
    .join(", ");
}

function pageHeaders(page: PageData, request: RequestedPage): Record<string, string> {
  const headers: Record<string, string> = { "x-pagination-limit": String(page.limit) };
  if (page.offset !== undefined) headers["x-pagination-offset"] = String(page.offset);
  if (page.total !== undefined) headers["x-total-count"] = String(page.total);
  if (page.after !== undefined) headers["x-pagination-after"] = page.after;
  const links = pageLinks(page, request);
  if (links !== "") headers["link"] = links;
  return headers;
}

/**
 * A page whose links would be longer has only its `next`: each link repeats the filter. Node.js refuses responses with
 * more than 16 KiB of headers, and proxies refuse less.
 */
const longestLinks = 2_048;

/** RFC 8288: relative links to the neighbouring pages of the request at `url`. */
function pageLinks(page: PageData, { url, cursorParameter }: RequestedPage): string {
  let next = "";
  if (page.nextOffset !== undefined) {
    const { nextOffset, nextLimit } = page;
    const limit = nextLimit === undefined ? {} : { limit: String(nextLimit) };
    next = link(url, { offset: String(nextOffset), ...limit }, "next");
  } else if (page.after !== undefined) {
    next = link(url, { [cursorParameter]: page.after }, "next");
  }
  if (page.offset === undefined || page.offset === 0) return next;
  const previous = String(Math.max(0, page.offset - page.limit));
  const others = [link(url, { offset: previous }, "prev"), link(url, { offset: "0" }, "first")];
  const links = [...(next === "" ? [] : [next]), ...others].join(", ");
  return links.length <= longestLinks ? links : next;
}

function link(url: string, set: Readonly<Record<string, string>>, relation: string): string {
  const question = url.indexOf("?");
  const path = question === -1 ? url : url.slice(0, question);
  const query = new URLSearchParams(question === -1 ? "" : url.slice(question + 1));
  // A cursor and an offset cannot be combined.
  query.delete("offset" in set ? "after" : "offset");
  for (const [name, value] of Object.entries(set)) query.set(name, value);
  // Filters have many of these characters, which a query may contain as they are.
  const text = query.toString().replaceAll(/%(?:27|3A|2F|40)/g, decodeURIComponent);
  return `<${path}?${text}>; rel="${relation}"`;
}
