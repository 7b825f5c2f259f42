import Negotiator from "negotiator";
import { errors } from "../errors.ts";
import { envelopeMediaType } from "./represent.ts";

const json = "application/json";

/** Throws 406 unless the caller accepts one of the offered media types. */
export function requireAcceptable(accept: string | undefined, offered: readonly string[]): void {
  if (accept === undefined || accept === "*/*") return;
  if (new Negotiator({ headers: { accept } }).mediaType([...offered]) !== undefined) return;
  throw errors.notAcceptable(accept, offered);
}

/** Whether the caller accepts the Envelope before the default (RFC 9110 §12.5.1); 406 if it accepts neither. */
export function wantsEnvelope(accept: string | undefined, serverDefault: boolean): boolean {
  if (accept === undefined || accept === "*/*" || accept === json) return serverDefault;
  const offered = serverDefault ? [envelopeMediaType, json] : [json, envelopeMediaType];
  const chosen = new Negotiator({ headers: { accept } }).mediaType(offered);
  if (chosen === undefined) throw errors.notAcceptable(accept, [json, envelopeMediaType]);
  return serverDefault || chosen === envelopeMediaType;
}
