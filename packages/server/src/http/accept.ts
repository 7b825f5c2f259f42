import Negotiator from "negotiator";
import { errors } from "../errors.ts";
import { envelopeMediaType } from "./represent.ts";

const json = "application/json";

/** Throws 406 for a caller who takes none of the media types of a file. */
export function requireAcceptable(accept: string | undefined, offered: readonly string[]): void {
  if (accept === undefined || accept === "*/*") return;
  if (new Negotiator({ headers: { accept } }).mediaType([...offered]) !== undefined) return;
  throw errors.notAcceptable(accept, offered);
}

/** Which representation the caller accepts (RFC 9110 §12.5.1); throws 406 for none that exists. */
export function wantsEnvelope(accept: string | undefined, serverDefault: boolean): boolean {
  if (accept === undefined || accept === "*/*" || accept === json) return serverDefault;
  const offered = serverDefault ? [envelopeMediaType, json] : [json, envelopeMediaType];
  const chosen = new Negotiator({ headers: { accept } }).mediaType(offered);
  if (chosen === undefined) throw errors.notAcceptable(accept, [json, envelopeMediaType]);
  return serverDefault || chosen === envelopeMediaType;
}
