import { indicatorsReport } from "../../domain/ioc/indicators-report.ts";
import { selectedRecords } from "../../domain/ioc/inherited.ts";
import { indicators } from "../../domain/ioc/indicators.ts";
import type { Handler } from "../../calls/handler.ts";

/** `search` overrides the body's other members. */
export const getIndicatorsReport: Handler<"GetIndicatorsReport"> = async (call) => {
  const { body, caller, context, now } = call;
  const scope = { cid: caller.cid, records: selectedRecords(body.from_parent) };
  const records = context.store.records(indicators, scope);
  const report = await indicatorsReport(records, body.search ?? body, body.report_format, now);
  return { kind: "object", object: report };
};
