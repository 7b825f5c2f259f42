import { isSuccess } from "../contract.ts";
import type { Report } from "./finding.ts";

/** Values in an Envelope that repeat parts of the response must agree with them. */
export function checkEnvelopeFacts(
  value: unknown,
  status: number,
  traceId: string | undefined,
  report: Report,
): void {
  if (value === null || typeof value !== "object" || !("meta" in value)) return;
  const { meta, errors } = value as { meta: unknown; errors?: unknown };
  const inBody = (meta as { trace_id?: unknown } | null)?.trace_id;
  if (traceId !== undefined && inBody !== undefined && inBody !== traceId) {
    report("inconsistent", "body.meta.trace_id", `differs from the header X-Trace-Id, ${traceId}`);
  }
  if (isSuccess(status) || !Array.isArray(errors)) return;
  if (errors.length === 0) {
    report("inconsistent", "body.errors", "is empty although the request failed");
  }
  for (const [index, entry] of (errors as ({ code?: unknown } | null)[]).entries()) {
    if (entry?.code === status) continue;
    const message = `expected the status, ${status}, got ${String(entry?.code)}`;
    report("inconsistent", `body.errors[${index}].code`, message);
  }
}
