import type { BlobStore } from "../blobs/blob-store.ts";
import { cases, type StoredCase } from "../domain/case-management/kinds/cases.ts";
import { nextReferenceId } from "../domain/case-management/cases/new-case.ts";
import { alerts, events } from "../domain/case-management/evidence/evidence-records.ts";
import type { StoredUser } from "../access/users.ts";
import { filled } from "../domain/case-management/kinds/store-cases.ts";
import type { Resource, Transaction } from "../store/index.ts";
import { seededCase, type CaseWorld, type SeededCase } from "./cases.ts";
import { sightingsOf } from "./executions.ts";
import { casesWithFiles, fillCaseFiles } from "./fill-case-files.ts";
import { hostsOf } from "./fill-hosts.ts";
import { indicatorsOf } from "./fill-indicators.ts";
import { insertAll, take, type Count, type Filling } from "./filling.ts";
import { Random } from "./random.ts";
import { workOnCase } from "./story/work-on-cases.ts";
import type { Step } from "./story/step.ts";

/** Maximum number of hosts that have cases. */
const hostsMet = 2_000;
/** Maximum number of indicators that evidence can match. */
const indicatorsMet = 2_000;

interface Counts {
  readonly cases: Count;
  readonly evidence: Count;
  readonly files: Count;
}

/**
 * Alerts and events of the tenant's hosts, and cases that have them as evidence. Returns what people do with the cases
 * of a story.
 */
export async function fillCases(
  filling: Filling,
  users: readonly StoredUser[],
  blobs: BlobStore | undefined,
  counts: Counts,
): Promise<readonly Step[]> {
  const { tenant, plan, base, now } = filling;
  if (plan.cases === 0 || plan.hosts === 0) return [];
  const world: CaseWorld = {
    cid: tenant.cid,
    base,
    now,
    hosts: [...take(hostsOf(filling), 0, hostsMet)],
    users,
    count: plan.cases,
    story: plan.story,
    sightings: sightingsOf(
      take(indicatorsOf(filling), 0, Math.min(plan.indicators, indicatorsMet)),
    ),
  };
  await insertAll(
    filling,
    alerts,
    partsOf(filling, world, (seeded) => seeded.alerts),
    counts.evidence,
  );
  await insertAll(
    filling,
    events,
    partsOf(filling, world, (seeded) => seeded.events),
    counts.evidence,
  );
  const stored = partsOf(filling, world, (seeded) => [seeded.stored]);
  // The cast drops the reader of cases: only requests have one.
  const written = cases as unknown as Resource<StoredCase>;
  await insertAll(filling, written, stored, counts.cases, numbered);
  const [administrator, analyst, responder] = users.map(({ uuid }) => uuid);
  const people = {
    administrator: administrator ?? "",
    analyst: analyst ?? "",
    responder: responder ?? "",
  };
  const steps = plan.story
    ? [...partsOf(filling, world, workOnCase({ until: base - 3_600_000, people }))]
    : [];
  if (blobs === undefined) return steps;
  const owners = take(
    partsOf(filling, world, (seeded) => [seeded.stored]),
    0,
    casesWithFiles,
  );
  await fillCaseFiles(filling, blobs, owners, counts.files);
  return steps;
}

/** A case keeps its number, unless a case that was created before the seed has it. */
async function numbered(
  newCases: readonly StoredCase[],
  transaction: Transaction,
): Promise<readonly StoredCase[]> {
  const numbers = newCases.map(({ reference_id }) => reference_id);
  const last = numbers.at(-1);
  if (last !== undefined) await nextReferenceId(transaction, last);
  const usedNumbers = await transaction.records(cases).findDuplicates(numbers);
  const numberedCases: StoredCase[] = [];
  for (const each of newCases) {
    numberedCases.push(
      usedNumbers.has(each.reference_id)
        ? filled({ ...each, reference_id: await nextReferenceId(transaction) })
        : each,
    );
  }
  return numberedCases;
}

/**
 * Generates the cases of the tenant one by one. Each kind of record generates them again, to keep memory
 * constant.
 */
function* partsOf<Part>(
  { plan, seed, purpose }: Filling,
  world: CaseWorld,
  partOf: (seeded: SeededCase) => readonly Part[],
): Generator<Part> {
  const random = new Random(seed, `${purpose}/cases`);
  for (let index = 0; index < plan.cases; index += 1)
    yield* partOf(seededCase(random, index, world));
}
