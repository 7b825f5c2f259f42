import { runQuery } from "../../domain/ioc/sdmf/run-query.ts";
import type { Handler } from "../../handler.ts";

export const indicatorSdmfQueryV1: Handler<"indicator.sdmf-query.v1"> = async (call) => ({
  kind: "records",
  records: await runQuery(call, call.body),
});
