import { where } from "@security-platform/fql";
import type { Answer } from "../../../calls/answer.ts";
import { workOn } from "./read-report.ts";
import { newestScans, type ImageReference, type ScanCall } from "../scans/find-scans.ts";
import { imagePolicies } from "../image-policies/image-policies.ts";

/** Policies per batch. */
const batch = 500;

/** Evaluates the policies of the tenant on the newest scan of each image that has the name. */
export async function checkImages(call: ScanCall, reference: ImageReference): Promise<Answer> {
  const { caller, context, now } = call;
  const { cid } = caller;
  const scans = await newestScans(call, reference);
  const records = context.store.records(imagePolicies, { cid });
  const policies = [];
  for await (const part of records.scanComplete(where.equal("is_enabled", true), now, batch)) {
    policies.push(...part);
  }
  // The default policy is always evaluated last.
  policies.sort(
    (left, right) =>
      Number(left.is_default) - Number(right.is_default) || left.precedence - right.precedence,
  );
  const results = [];
  for (const scan of scans) {
    const result = await workOn({ ...context, cid }, scan, {
      kind: "evaluate",
      policies,
      scan,
      now,
    });
    results.push(new TextDecoder().decode(result));
  }
  return { kind: "records", records: results };
}
