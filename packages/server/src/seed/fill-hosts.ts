import { GroupRules } from "../inventory/group-rules.ts";
import { hostGroups } from "../inventory/host-groups.ts";
import { hosts, type Host } from "../inventory/hosts.ts";
import { insertAll, type Count, type Filling } from "./filling.ts";
import { namedHosts, seededHostGroups } from "./host-groups.ts";
import { seededHost } from "./hosts.ts";
import { knownHosts } from "./known.ts";
import { Random } from "./random.ts";

/** Host groups, then the hosts with their memberships. */
export async function fillHosts(
  filling: Filling,
  countGroups: Count,
  countHosts: Count,
): Promise<void> {
  const { plan, seed, purpose, base } = filling;
  const groups = seededHostGroups(new Random(seed, `${purpose}/host-groups`), {
    base,
    siteCount: plan.sites,
    named: namedHosts(hostsOf(filling)),
    known: filling.known,
  });
  await insertAll(filling, hostGroups, groups, countGroups);
  let rules: GroupRules | undefined;
  await insertAll(
    filling,
    hosts,
    hostsOf(filling),
    countHosts,
    async (newHosts, transaction, now) => {
      rules = await GroupRules.load(transaction, now, rules);
      return rules.apply(newHosts);
    },
  );
}

/** The ids of the tenant's hosts, in their order. */
export function* deviceIds({ plan, seed, purpose, known }: Filling): Generator<string> {
  const random = new Random(seed, `${purpose}/devices`);
  for (let index = 0; index < plan.hosts; index += 1) {
    const id = random.hex(32);
    const host = plan.story ? knownHosts.get(index) : undefined;
    yield host === undefined ? id : known(host.id);
  }
}

/** The tenant's hosts in order. Their groups are computed when they are stored. */
export function* hostsOf(filling: Filling): Generator<Host> {
  const { tenant, plan, seed, purpose, base } = filling;
  const { cid, name } = tenant;
  const label = name.toLowerCase().replaceAll(" ", "-");
  const random = new Random(seed, `${purpose}/hosts`);
  let index = 0;
  for (const id of deviceIds(filling)) {
    const host = seededHost(random, index, id, { cid, label, sites: plan.sites, base });
    yield plan.story ? { ...host, ...knownHosts.get(index)?.members } : host;
    index += 1;
  }
}
