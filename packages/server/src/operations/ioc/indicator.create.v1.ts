import { newIndicators, withoutDuplicates } from "../../domain/ioc/create-indicators.ts";
import { refuseUnknownHostGroups } from "../../domain/ioc/host-groups-of.ts";
import { indicators } from "../../domain/ioc/indicators.ts";
import { withRetrodetections } from "../../domain/ioc/retrodetects.ts";
import type { Handler } from "../../calls/handler.ts";
import { authorOf, write } from "../../records/write.ts";

/** Creates all or none. With `ignore_warnings` duplicates are skipped, and the answer says which. */
export const indicatorCreateV1: Handler<"indicator.create.v1"> = async (call) => {
  const { body, query, now } = call;
  const requested = await newIndicators(body.indicators, authorOf(call));
  const { records, skipped } = await write(call, async (writing) => {
    const { stored, insert } = writing.records(indicators);
    const ignoreWarnings = query.ignore_warnings ?? false;
    const { unique, ...duplicates } = await withoutDuplicates(stored, requested, {
      now,
      ignoreWarnings,
    });
    await refuseUnknownHostGroups(
      writing.transaction,
      unique.map(({ at, record }) => ({ at, before: null, after: record })),
    );
    const added = unique.map(({ record }) => record);
    const created =
      query.retrodetects === true
        ? await withRetrodetections(writing.transaction, added, now)
        : added;
    return { records: await insert(created, { comment: body.comment }), ...duplicates };
  });
  return { kind: "records", records, skipped };
};
