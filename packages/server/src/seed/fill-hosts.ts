import { GroupRules } from "../inventory/group-rules.ts";
import { hostGroups } from "../inventory/host-groups.ts";
import { hosts, type Host } from "../inventory/hosts.ts";
import { insertAll, type Count, type Filling } from "./filling.ts";
import { namedHosts, seededHostGroups } from "./host-groups.ts";
import { withReports, withTimes } from "./host-reports.ts";
import { seededHost } from "./hosts.ts";
import { days, instant } from "./instants.ts";
import { knownHosts } from "./known.ts";
import { asDocumented } from "./known-ids.ts";
import { Random } from "./random.ts";

/** Host groups, then the hosts with their memberships. */
export async function fillHosts(
  filling: Filling,
  countGroups: Count,
  countHosts: Count,
): Promise<void> {
  const { plan, seed, purpose, base, users } = filling;
  const groups = seededHostGroups(new Random(seed, `${purpose}/host-groups`), {
    base,
    siteCount: plan.sites,
    siteOffset: filling.siteOffset,
    kiosks: ["KIOSK-01", "KIOSK-02"].map((name) => hostnameIn(filling, name)),
    named: namedHosts(hostsOf(filling)),
    known: filling.known,
    author: users[0]?.uid ?? "",
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
  const { tenant, plan, seed, purpose, base, now, siteOffset } = filling;
  const { cid, name } = tenant;
  const label = name.toLowerCase().replaceAll(" ", "-");
  const place = { cid, label, sites: plan.sites, siteOffset, base, now };
  const random = new Random(seed, `${purpose}/hosts`);
  let index = 0;
  for (const id of deviceIds(filling)) {
    const host = seededHost(random, index, id, place);
    const known = plan.story ? knownHosts.get(index)?.members : undefined;
    const named = { ...host, ...(known && membersIn(filling, known)) };
    // Something can have happened on the first host at any time.
    const isSteady = index === 0 || known !== undefined;
    yield withReports(isSteady ? steady(filling, index, named) : named);
    index += 1;
  }
}

/** The host as one that has worked for months, and works now. */
function steady({ now, base }: Filling, index: number, host: Host): Host {
  const lastSeen = now - (index + 1) * 137_219;
  const earliest = instant(base - days(90 + 11 * index) + (index + 1) * 5_231_417);
  const { first_seen = earliest } = host;
  return withTimes(host, {
    first_seen: first_seen < earliest ? first_seen : earliest,
    last_seen: instant(lastSeen),
    last_login_timestamp: instant(lastSeen - (3 + index) * 1_803_113),
  });
}

/** Other tenants than that of the document have machines of their own, with other names and addresses. */
function membersIn(filling: Filling, members: Partial<Host>): Partial<Host> {
  if (filling.known === asDocumented) return members;
  const { hostname } = members;
  const names = hostname === undefined ? {} : { hostname: hostnameIn(filling, hostname) };
  const {
    local_ip: _local,
    connection_ip: _connection,
    default_gateway_ip: _gateway,
    external_ip: _external,
    ...others
  } = members;
  return { ...others, ...names };
}

/** The name of a machine of the story, such as `BIR-DC-01` for `DC-01`. */
function hostnameIn({ known, tenant }: Filling, hostname: string): string {
  return known === asDocumented ? hostname : `${tenant.name.slice(0, 3).toUpperCase()}-${hostname}`;
}
