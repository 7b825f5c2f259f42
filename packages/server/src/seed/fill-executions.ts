import { executions } from "../domain/ioc/executions.ts";
import { seededExecution, sightingsOf } from "./executions.ts";
import { hostsOf } from "./fill-hosts.ts";
import { indicatorsOf } from "./fill-indicators.ts";
import { insertAll, take, type Count, type Filling } from "./filling.ts";
import { Random } from "./random.ts";

/** Maximum number of indicators that executions can match. */
const indicatorsMet = 2_000;

/** Processes of the tenant's hosts, some of which match its indicators. */
export async function fillExecutions(filling: Filling, count: Count): Promise<void> {
  const { plan, seed, purpose } = filling;
  const hosts = [...hostsOf(filling)].map(({ device_id, first_seen = "", last_seen = "" }) => ({
    device_id,
    first: Date.parse(first_seen),
    last: Date.parse(last_seen),
  }));
  const sightings = sightingsOf(
    take(indicatorsOf(filling), 0, Math.min(plan.indicators, indicatorsMet)),
  );
  const random = new Random(seed, `${purpose}/executions`);
  function* seededExecutions() {
    for (let index = 0; index < plan.executions; index += 1) {
      yield seededExecution(random, index, hosts, sightings);
    }
  }
  await insertAll(filling, executions, seededExecutions(), count);
}
