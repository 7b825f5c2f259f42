import { indicatorsReport } from "../../domain/ioc/indicators-report.ts";
import { sightOf } from "../../domain/ioc/sight.ts";
import { indicators } from "../../domain/ioc/indicators.ts";
import type { Handler } from "../../handler.ts";

/** `search` overrides the body's other members. */
export const getIndicatorsReport: Handler<"GetIndicatorsReport"> = async (call) => {
  const { body, caller, context, now } = call;
  const sight = { cid: caller.cid, records: sightOf(body.from_parent) };
  const records = context.store.records(indicators, sight);
  const report = await indicatorsReport(records, body.search ?? body, body.report_format, now);
  return { kind: "object", object: report };
};
