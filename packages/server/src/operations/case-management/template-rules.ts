import type { Call, Caller } from "../../calls/call.ts";
import { ownHolderKey } from "../../domain/case-management/access-tags/reader.ts";
import { stampOf } from "../../domain/case-management/stamps.ts";
import { templateRules } from "../../domain/case-management/templates/write-templates.ts";

type WritingCall = Pick<Call, "context" | "now"> & { readonly caller: Caller };

/** The rules of the templates that the caller may see. */
export const templateRulesFor = async (call: WritingCall) =>
  templateRules({ stamp: await stampOf(call), holder: ownHolderKey(call.caller) });
