import { defined } from "../records/defined.ts";
import { inOrder, type Indicator, type IndicatorType } from "../domain/ioc/indicators.ts";
import { unknownMetadata } from "../domain/ioc/new-indicator.ts";
import { effectiveActions } from "../domain/ioc/rules.ts";
import { readIndicatorValue } from "../domain/ioc/values.ts";
import {
  actionsOf,
  needsSeverity,
  platformsOf,
  severities,
  type Action,
  type MobileAction,
  type Platform,
} from "../domain/ioc/vocabulary.ts";
import { days, instant } from "./instants.ts";
import type { Random } from "./random.ts";
import { families, qualities, services, sources, things, unwantedPrograms } from "./words.ts";

type NonEmpty<Item> = readonly [Item, ...Item[]];

const types: NonEmpty<IndicatorType> = [
  "sha256",
  "domain",
  "ipv4",
  "sha256",
  "md5",
  "domain",
  "ipv6",
  "ipv4",
  "sha256",
  "all_subdomains",
];
const mobileActions: NonEmpty<MobileAction> = ["detect", "prevent", "allow", "no_action"];

/** The `index`-th indicator of a tenant; `base`: the reference day of the world. */
export function seededIndicator(
  random: Random,
  index: number,
  base: number,
  {
    hostGroups,
    authors,
  }: { readonly hostGroups: NonEmpty<string>; readonly authors: NonEmpty<string> },
): Indicator {
  const type = types[index % types.length] ?? "sha256";
  const platforms = random.some(platformsOf(type) as NonEmpty<Platform>);
  const { action, mobile_action } = effectiveActions({
    platforms,
    // Most indicators do something.
    action: actionFor(random, actionsOf(type) as NonEmpty<Action>),
    mobile_action: random.pick(mobileActions),
  });
  const created = base - days(1 + random.below(180)) + random.below(days(1));
  const modified = random.chance(30) ? created + random.below(base - created) : created;
  const { name: family, kind } = random.pick(families);
  const everywhere = random.chance(85);
  const author = random.pick(authors);
  return inOrder({
    id: random.hex(64),
    type,
    value: valueOf(type, random, index),
    action,
    mobile_action,
    severity:
      needsSeverity(action) || needsSeverity(mobile_action)
        ? random.pick(severities as NonEmpty<(typeof severities)[number]>)
        : "",
    ...defined({ source: random.chance(80) ? random.pick(sources) : undefined }),
    description: random.chance(75) ? `${family} ${kind}` : "",
    ...defined({ expiration: expirationOf(random, base, created) }),
    platforms,
    tags: random.chance(70) ? [...new Set([family.toLowerCase(), kind])] : [],
    host_groups: everywhere ? [] : random.some(hostGroups, 30),
    applied_globally: everywhere,
    expired: false,
    deleted: false,
    from_parent: false,
    metadata: {
      ...unknownMetadata(type),
      ...((type === "sha256" || type === "md5") && random.chance(60)
        ? { filename: random.pick(unwantedPrograms) }
        : {}),
    },
    created_by: author,
    created_on: instant(created),
    modified_by: author,
    modified_on: instant(modified),
  });
}

/** Half of the draws of no action are replaced by another draw. */
function actionFor(random: Random, actions: NonEmpty<Action>): Action {
  const drawn = random.pick(actions);
  return drawn === "no_action" && actions.length > 1 ? random.pick(actions) : drawn;
}

/** Most never expire; of the others, some have expired and some soon will. */
function expirationOf(random: Random, base: number, created: number): string | undefined {
  const kind = random.below(10);
  if (kind < 5) return undefined;
  if (kind < 7) return instant(created + random.below(base - created));
  if (kind < 8) return instant(base + days(1) + random.below(days(3)));
  return instant(base + days(30) + random.below(days(300)));
}

/** The index makes it unique within the tenant. */
function valueOf(type: IndicatorType, random: Random, index: number): string {
  switch (type) {
    case "sha256":
      return random.hex(64);
    case "md5":
      return random.hex(32);
    case "domain":
    case "all_subdomains":
      return `${random.pick(services)}.${random.pick(qualities)}-${random.pick(things)}-${index.toString(36)}.example`;
    case "ipv4":
      // Documentation networks first, then a network that no host uses.
      return index < 256
        ? `203.0.113.${index}`
        : `240.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`;
    case "ipv6":
      return ipv6(
        `2001:db8:${random.hex(8).slice(4)}::${(index >> 16).toString(16)}:${(index & 0xffff).toString(16)}`,
      );
  }
}

function ipv6(text: string): string {
  const read = readIndicatorValue("ipv6", text);
  return "value" in read ? read.value : text;
}
