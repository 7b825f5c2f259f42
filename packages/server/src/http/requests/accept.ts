import Negotiator from "negotiator";
import { errors } from "../../errors.ts";
import { envelopeMediaType, jsonMediaType, type AnswerForm } from "../responses/represent.ts";

const json = "application/json";

/** Throws 406 unless the caller accepts one of the offered media types. */
export function requireAcceptable(accept: string | undefined, offered: readonly string[]): void {
  if (accept === undefined || accept === "*/*") return;
  if (new Negotiator({ headers: { accept } }).mediaType([...offered]) !== undefined) return;
  throw errors.notAcceptable(accept, offered);
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
  const mediaType = new Negotiator({ headers: { accept } }).mediaType([json, envelopeMediaType]);
  if (mediaType === undefined) throw errors.notAcceptable(accept, [json, envelopeMediaType]);
  return mediaType === envelopeMediaType ? envelopeByType : plain;
}

const bareInJson = { envelope: false, mediaType: jsonMediaType };
const envelopeInJson = { envelope: true, mediaType: json };
const envelopeByType = { envelope: true, mediaType: envelopeMediaType };
