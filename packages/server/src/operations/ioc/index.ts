import type { Call } from "../../calls/call.ts";
import { getIndicators } from "../../domain/ioc/get-indicators.ts";
import { listIndicators } from "../../domain/ioc/list.ts";
import { listDevices, listProcesses } from "../../domain/ioc/lookups.ts";
import { runQuery } from "../../domain/ioc/sdmf/run-query.ts";
import { actions, indicatorTypes, platforms, severities } from "../../domain/ioc/vocabulary.ts";
import type { OperationHandlers } from "../../calls/handler.ts";
import { listConstants } from "../../records/constant-list.ts";
import { eachOnce } from "../../records/get.ts";
import { actionGetV1 } from "./action.get.v1.ts";
import { getIndicatorsReport } from "./GetIndicatorsReport.ts";
import { indicatorAggregateV1 } from "./indicator.aggregate.v1.ts";
import { indicatorCreateV1 } from "./indicator.create.v1.ts";
import { indicatorDeleteV1 } from "./indicator.delete.v1.ts";
import { indicatorGetDeviceCountV1 } from "./indicator.get.device_count.v1.ts";
import { indicatorUpdateV1 } from "./indicator.update.v1.ts";

type ValuesCall = Call<"action.query.v1">;

/** A page of the values of an enumeration. */
const listValues =
  (values: readonly string[]) =>
  async ({ query: { limit, offset } }: Pick<ValuesCall, "query">) =>
    listConstants(values, { limit, offset: Number(offset) });

export const iocHandlers = {
  "action.get.v1": actionGetV1,
  "action.query.v1": listValues(actions),
  GetIndicatorsReport: getIndicatorsReport,
  "indicator.aggregate.v1": indicatorAggregateV1,
  "indicator.combined.v1": (call) => listIndicators(call, "records"),
  "indicator.create.v1": indicatorCreateV1,
  "indicator.delete.v1": indicatorDeleteV1,
  "indicator.get.device_count.v1": indicatorGetDeviceCountV1,
  "indicator.get.devices_ran_on.v1": (call) => listDevices(call, call.query),
  "indicator.get.processes_ran_on.v1": (call) => listProcesses(call, call.query),
  "indicator.get.v1": (call) => getIndicators(call, eachOnce(call.query.ids)),
  "indicator.sdmf-query.v1": async (call) => ({
    kind: "records",
    records: await runQuery(call, call.body),
  }),
  "indicator.search.v1": (call) => listIndicators(call, "ids"),
  "indicator.update.v1": indicatorUpdateV1,
  "ioc_type.query.v1": listValues(indicatorTypes),
  "platform.query.v1": listValues(platforms),
  "severity.query.v1": listValues(severities),
} satisfies Partial<OperationHandlers>;
