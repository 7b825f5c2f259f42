import { refuseUnknownHostGroups } from "../../domain/ioc/host-groups-of.ts";
import { indicators, type Indicator } from "../../domain/ioc/indicators.ts";
import { writeOwn } from "../../domain/ioc/own-indicators.ts";
import { withRetrodetections } from "../../domain/ioc/retrodetects.ts";
import { changeSelected } from "../../domain/ioc/selection.ts";
import { inheritedIndicators, inheritedSelection } from "../../domain/ioc/inherited.ts";
import { changedIndicators, type Change } from "../../domain/ioc/update-indicators.ts";
import type { Answer } from "../../calls/answer.ts";
import type { Call } from "../../calls/call.ts";
import type { Handler } from "../../calls/handler.ts";
import { refuseRepeated } from "../../records/distinct.ts";
import type { Writing } from "../../records/write.ts";
import type { RecordText } from "../../store/index.ts";

type UpdateCall = Call<"indicator.update.v1">;
type Body = UpdateCall["body"];

/** Changes each indicator of a list in its own way, or all that a filter selects in the same way. */
export const indicatorUpdateV1: Handler<"indicator.update.v1"> = async (call) =>
  call.body.bulk_update === undefined
    ? { kind: "records", records: await updateListed(call, call.body.indicators ?? []) }
    : updateSelected(call, call.body.bulk_update);

async function updateListed(
  call: UpdateCall,
  inputs: NonNullable<Body["indicators"]>,
): Promise<readonly RecordText[]> {
  const items = inputs.map((input, index) => ({ ...input, at: `body.indicators[${index}]` }));
  refuseRepeated(items, "indicator");
  const ids = items.map(({ id }) => id);
  const inherited = items.filter(({ from_parent }) => from_parent === true);
  if (inherited.length > 0) throw inheritedIndicators(inherited.map(({ id }) => id));
  return writeOwn(call, ids, (writing, stored) =>
    replace(
      call,
      writing,
      stored.flatMap((indicator, index) => {
        const { id: _id, at, ...changes } = items[index] ?? { id: "", at: "" };
        return { indicator, changes, at };
      }),
    ),
  );
}

/** The change is tried on all selected indicators first, so that a refusal changes none of them. */
async function updateSelected(
  call: UpdateCall,
  { filter, from_parent, ...changes }: NonNullable<Body["bulk_update"]>,
): Promise<Answer> {
  if (from_parent === true) throw inheritedSelection("body.bulk_update.from_parent");
  const placed = (selected: readonly Indicator[]): readonly Change[] =>
    selected.map((indicator) => ({ indicator, changes, at: "body.bulk_update" }));
  const ignoreWarnings = call.query.ignore_warnings ?? false;
  const { listed, affected } = await changeSelected(call, filter, {
    check: async (selected, author) => {
      await changedIndicators(placed(selected), author, ignoreWarnings);
    },
    change: (writing, selected) => replace(call, writing, placed(selected)),
  });
  return { kind: "records", records: listed, affected };
}

async function replace(
  { body, query }: UpdateCall,
  writing: Writing,
  changes: readonly Change[],
): Promise<readonly RecordText[]> {
  const { author, transaction, now } = writing;
  const changed = await changedIndicators(changes, author, query.ignore_warnings ?? false);
  const placed = changed.flatMap((after, index) => {
    const { at, indicator } = changes[index] ?? {};
    return at === undefined || indicator === undefined ? [] : [{ at, before: indicator, after }];
  });
  await refuseUnknownHostGroups(transaction, placed);
  const records =
    query.retrodetects === true ? await withRetrodetections(transaction, changed, now) : changed;
  return writing.records(indicators).replace(records, { comment: body.comment });
}
