import { where, wordSequence, type Predicate } from "@security-platform/fql";
import type { Answer } from "../../../calls/answer.ts";
import type { Call } from "../../../calls/call.ts";
import { listRecords } from "../../../records/list.ts";
import { caseReader } from "../access-tags/reader.ts";
import { caseFields, cases, sortField } from "../kinds/cases.ts";

const newestFirst = "created_timestamp.desc";

/** A page of ids of the cases that the caller sees; the default order is newest first. */
export async function listCases(call: Call<"queries.cases.get.v1">): Promise<Answer> {
  const { caller, context, now, query } = call;
  const reader = await caseReader(call);
  const { q, sort, offset, ...parameters } = query;
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
      fields: caseFields,
      order: (keys) => keys.map(({ field, direction }) => ({ field: sortField(field), direction })),
      ...(q === undefined ? {} : { where: containing(q) }),
      source: context.store.records(cases, reader),
    },
  );
}

/**
 * Cases that contain every word. Words that are written together, such as the parts of an address
 * or a file name, must also be consecutive in the case, with any separator.
 */
function containing(text: string): Predicate {
  const phrases = text.split(/\s+/u).map(wordSequence);
  return where.words(
    "all_text",
    [...new Set(phrases.flat())],
    phrases.filter(({ length }) => length > 1),
  );
}
