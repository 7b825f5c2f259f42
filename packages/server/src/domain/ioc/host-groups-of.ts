import { hostGroupNoun, hostGroups } from "../../inventory/host-groups.ts";
import { refuseBadReferences } from "../../records/plain/references.ts";
import type { Kind, PlacedChange, PlainRecord, Reference } from "../../records/plain/kind.ts";
import type { Transaction } from "../../store/index.ts";
import type { Indicator } from "./indicators.ts";

const groups = { noun: hostGroupNoun, resource: hostGroups } as unknown as Kind;

/** References are read from this member only. */
type Grouped = PlainRecord & Pick<Indicator, "host_groups">;

const references: readonly Reference<Grouped>[] = [{ member: "host_groups", target: groups }];

/** Throws 400 for host groups that indicators get and the tenant does not have. */
export const refuseUnknownHostGroups = (
  transaction: Transaction,
  changes: readonly {
    readonly at: string;
    readonly before: Indicator | null;
    readonly after: Indicator;
  }[],
): Promise<void> =>
  refuseBadReferences(
    transaction,
    changes as unknown as readonly PlacedChange<Grouped>[],
    references,
  );
