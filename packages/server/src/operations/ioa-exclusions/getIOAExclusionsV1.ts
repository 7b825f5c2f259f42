import {
  exclusionNoun,
  exclusions,
  type Exclusion,
} from "../../domain/ioa-exclusions/exclusions.ts";
import { inVersion1 } from "../../domain/ioa-exclusions/version-1.ts";
import { errors } from "../../foundation/errors.ts";
import type { Handler } from "../../calls/handler.ts";

/** An id that the request repeats is returned once. */
export const getIOAExclusionsV1: Handler<"getIOAExclusionsV1"> = async (call) => {
  const { caller, context, now, query } = call;
  const scope = { cid: caller.cid, now };
  const ids = [...new Set(query.ids)];
  const textsById = await context.store.records(exclusions, { cid: caller.cid }).get(ids, now);
  const stored = ids.flatMap((id) => {
    const text = textsById.get(id);
    return text === undefined ? [] : [JSON.parse(text) as Exclusion];
  });
  const texts = (await inVersion1(context, scope, stored)).map((record) => JSON.stringify(record));
  const missing = ids.filter((id) => !textsById.has(id));
  if (missing.length > 0) throw errors.recordsNotFound(exclusionNoun, missing, texts);
  return { kind: "records", records: texts };
};
