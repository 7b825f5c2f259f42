import { actionGetV1 } from "./action.get.v1.ts";
import { actionQueryV1 } from "./action.query.v1.ts";
import { getIndicatorsReport } from "./GetIndicatorsReport.ts";
import { indicatorAggregateV1 } from "./indicator.aggregate.v1.ts";
import { indicatorCombinedV1 } from "./indicator.combined.v1.ts";
import { indicatorCreateV1 } from "./indicator.create.v1.ts";
import { indicatorDeleteV1 } from "./indicator.delete.v1.ts";
import { indicatorGetDeviceCountV1 } from "./indicator.get.device_count.v1.ts";
import { indicatorGetDevicesRanOnV1 } from "./indicator.get.devices_ran_on.v1.ts";
import { indicatorGetProcessesRanOnV1 } from "./indicator.get.processes_ran_on.v1.ts";
import { indicatorGetV1 } from "./indicator.get.v1.ts";
import { indicatorSdmfQueryV1 } from "./indicator.sdmf-query.v1.ts";
import { indicatorSearchV1 } from "./indicator.search.v1.ts";
import { indicatorUpdateV1 } from "./indicator.update.v1.ts";
import { iocTypeQueryV1 } from "./ioc_type.query.v1.ts";
import { platformQueryV1 } from "./platform.query.v1.ts";
import { severityQueryV1 } from "./severity.query.v1.ts";

export const iocHandlers = {
  "action.get.v1": actionGetV1,
  "action.query.v1": actionQueryV1,
  GetIndicatorsReport: getIndicatorsReport,
  "indicator.aggregate.v1": indicatorAggregateV1,
  "indicator.combined.v1": indicatorCombinedV1,
  "indicator.create.v1": indicatorCreateV1,
  "indicator.delete.v1": indicatorDeleteV1,
  "indicator.get.device_count.v1": indicatorGetDeviceCountV1,
  "indicator.get.devices_ran_on.v1": indicatorGetDevicesRanOnV1,
  "indicator.get.processes_ran_on.v1": indicatorGetProcessesRanOnV1,
  "indicator.get.v1": indicatorGetV1,
  "indicator.sdmf-query.v1": indicatorSdmfQueryV1,
  "indicator.search.v1": indicatorSearchV1,
  "indicator.update.v1": indicatorUpdateV1,
  "ioc_type.query.v1": iocTypeQueryV1,
  "platform.query.v1": platformQueryV1,
  "severity.query.v1": severityQueryV1,
};
