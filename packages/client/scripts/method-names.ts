/**
 * The readable method of each operation. By hand: operation ids of different collections follow
 * different habits, and one that reads well says what comes back.
 *
 * `get…` takes ids, `list…` finds by filter and pages, `list…Ids` answers with ids only, and a later
 * version carries its number (`listUsersV2`), so that a new version never renames an old one.
 */
export const methodNames: Readonly<Record<string, string>> = {
  "action.get.v1": "getActions",
  "action.query.v1": "listActionIds",
  GetIndicatorsReport: "getIndicatorsReport",
  "indicator.aggregate.v1": "aggregateIndicators",
  "indicator.combined.v1": "listIndicators",
  "indicator.create.v1": "createIndicators",
  "indicator.delete.v1": "deleteIndicators",
  "indicator.get.device_count.v1": "countDevices",
  "indicator.get.devices_ran_on.v1": "listDeviceIds",
  "indicator.get.processes_ran_on.v1": "listProcessIds",
  "indicator.get.v1": "getIndicators",
  "indicator.sdmf-query.v1": "runDataFrameQuery",
  "indicator.search.v1": "listIndicatorIds",
  "indicator.update.v1": "updateIndicators",
  "ioc_type.query.v1": "listIndicatorTypes",
  oauth2AccessToken: "createToken",
  oauth2RevokeToken: "revokeToken",
  "platform.query.v1": "listPlatforms",
  "severity.query.v1": "listSeverities",
};
