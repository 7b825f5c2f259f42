import type { Answer } from "../../../answer.ts";
import type { Call } from "../../../call.ts";
import { listRecords } from "../../../records/list.ts";
import { caseReader } from "../access-tags/reader.ts";
import { caseFields, cases } from "./cases.ts";

/** Offset paging ends here. */
const searchWindow = 10_000;

const newestFirst = "created_timestamp.desc";

/** A page of ids of the cases that the caller sees; the default order is newest first. */
export async function listCases(call: Call<"queries.cases.get.v1">): Promise<Answer> {
  const { caller, context, now, query } = call;
  const reader = await caseReader(call);
  const { q: _words, sort, offset, ...parameters } = query;
  return listRecords(
    {
      caller,
      context,
      now,
      query: { ...parameters, offset: Number(offset), sort: sort?.trim() ? sort : newestFirst },
    },
    {
      resource: cases,
      shape: "ids",
      records: "own",
      window: searchWindow,
      beyondWindow: "narrow the filter instead, for example by created_timestamp",
      fields: caseFields,
      source: context.store.records(cases, reader),
    },
  );
}
