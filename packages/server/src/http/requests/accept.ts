import Negotiator from "negotiator";
import { errors } from "../../foundation/errors.ts";
import { envelopeMediaType, jsonMediaType, type AnswerForm } from "../responses/represent.ts";

const json = "application/json";

/** Throws 406 unless the caller accepts one of the offered media types. */
export function requireAcceptable(accept: string | undefined, offered: readonly string[]): void {
  if (accept === undefined || accept === "*/*") return;
  if (preferred(accept, offered) === undefined) throw errors.notAcceptable(accept, offered);
}

/**
 * The representation that the caller accepts (RFC 9110 §12.5.1). Throws 406 if the caller accepts none. With
 * `envelopeOnly`, plain JSON is an Envelope as well, and the Envelope's media type is used only if the caller
 * prefers it.
 */
export function acceptedForm(
  accept: string | undefined,
  envelopeOnly: boolean,
): Pick<AnswerForm, "envelope" | "mediaType"> {
  const plain = envelopeOnly ? envelopeInJson : bareInJson;
  if (accept === undefined || accept === "*/*" || accept === json) return plain;
  const mediaType = preferred(accept, [json, envelopeMediaType]);
  if (mediaType === undefined) throw errors.notAcceptable(accept, [json, envelopeMediaType]);
  return mediaType === envelopeMediaType ? envelopeByType : plain;
}

/**
 * The offered media type that the caller prefers; undefined if it accepts none. All content is in UTF-8 and has one
 * version, so parameters of a range are ignored, such as `charset`. An empty value accepts everything.
 */
function preferred(accept: string, offered: readonly string[]): string | undefined {
  const ranges = splitOutsideQuotes(accept, ",")
    .map(rangeOf)
    .filter((range) => range !== "");
  if (ranges.length === 0) return offered[0];
  return new Negotiator({ headers: { accept: ranges.join(",") } }).mediaType([...offered]);
}

/** A range with its weight only. Empty if it has no effect. */
function rangeOf(text: string): string {
  const [name = "", ...parameters] = splitOutsideQuotes(text, ";").map((part) => part.trim());
  const weight = parameters.find((parameter) => weightName.test(parameter)) ?? "";
  const quality = weight.slice(weight.indexOf("=") + 1).trim();
  const isExcluded = zero.test(quality);
  const isVariant = parameters.some((each) => each !== "" && each !== weight && !utf8.test(each));
  // Excludes a variant of the type that is never sent.
  if (name === "" || (isExcluded && isVariant)) return "";
  const range = name === "*" ? "*/*" : name;
  return isExcluded || fraction.test(quality) ? `${range};q=${quality}` : range;
}

const weightName = /^q\s*=/i;
const zero = /^0(\.0*)?$/;
const fraction = /^0?\.\d+$/;
const utf8 = /^charset\s*=\s*"?utf-8"?$/i;

function splitOutsideQuotes(text: string, separator: string): readonly string[] {
  if (!text.includes('"')) return text.split(separator);
  const parts: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    if (isQuoted && text[at] === "\\") at += 1;
    else if (text[at] === '"') isQuoted = !isQuoted;
    else if (text[at] === separator && !isQuoted) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, text.slice(start)];
}

const bareInJson = { envelope: false, mediaType: jsonMediaType };
const envelopeInJson = { envelope: true, mediaType: json };
const envelopeByType = { envelope: true, mediaType: envelopeMediaType };
