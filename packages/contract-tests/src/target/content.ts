import { compatQuirks } from "@security-platform/spec";
import type { Operation } from "../contract.ts";

interface Envelope {
  readonly meta: unknown;
  readonly resources: unknown;
  readonly errors: unknown;
}

/**
 * The content of a success in the default representation: the content of an Envelope, or the body
 * itself.
 */
export function contentOf(operation: Operation, body: unknown): unknown {
  if (operation.answer === "envelope" || !isEnvelope(body)) return body;
  const { resources } = body;
  const isOne = operation.answer === "object" && compatQuirks(operation).object === undefined;
  return isOne && Array.isArray(resources) && resources.length === 1
    ? (resources[0] as unknown)
    : resources;
}

const isEnvelope = (body: unknown): body is Envelope =>
  body !== null &&
  typeof body === "object" &&
  ["meta", "resources", "errors"].every((name) => name in body);
