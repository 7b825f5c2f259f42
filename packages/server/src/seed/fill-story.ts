import { where } from "@security-platform/fql";
import type { OperationId } from "@security-platform/spec";
import type { BlobStore } from "../blobs/blob-store.ts";
import { MemoryBlobs } from "../blobs/memory-blobs.ts";
import { systemClock } from "../foundation/clock.ts";
import type { StoredUser } from "../access/users.ts";
import { newSecret, sha256 } from "../access/secrets.ts";
import { everyScope } from "../access/roles.ts";
import { indicators } from "../domain/ioc/indicators.ts";
import { executions } from "../domain/ioc/executions.ts";
import { everyCase } from "../domain/case-management/access-tags/reader.ts";
import { cases } from "../domain/case-management/kinds/cases.ts";
import { imagePolicies } from "../domain/container/image-policies/image-policies.ts";
import { retrieveFiles } from "../domain/case-management/files/retrieve-files.ts";
import { writeExports } from "../domain/container/exports/write-export.ts";
import { defaultConfig } from "../foundation/config.ts";
import { createLogger } from "../foundation/logger.ts";
import { Worker } from "../jobs/worker.ts";
import { registries, registryInOrder } from "../domain/container/registries/registries.ts";
import { alerts, events } from "../domain/case-management/evidence/evidence-records.ts";
import { caseFileContents } from "./case-file-contents.ts";
import { attachFiles } from "./fill-case-files.ts";
import { hostsOf } from "./fill-hosts.ts";
import { insertAll, take, type Count, type Filling } from "./filling.ts";
import { membersOf } from "../domain/prevention-policy/members.ts";
import { preventionPolicies } from "../domain/prevention-policy/policies.ts";
import { hosts } from "../inventory/hosts.ts";
import { ruleGroups } from "../inventory/rule-groups.ts";
import { customRoles, type CustomRole } from "../access/tenant-roles.ts";
import { platformCid } from "../store/index.ts";
import { storyRole } from "./story/roles.ts";
import { storyRuleGroups } from "./story/rule-groups.ts";
import { days, instant } from "./instants.ts";
import { knownClient, knownGroups, knownReader, knownWorkstation } from "./known.ts";
import { asDocumented } from "./known-ids.ts";
import { Random } from "./random.ts";
import { StoryHostFiles } from "./story-host-files.ts";
import { caseManagementSteps, storyIncident } from "./story/case-management.ts";
import type { Cast } from "./story/cast.ts";
import { containerSteps } from "./story/container.ts";
import { dataProtectionSteps } from "./story/data-protection.ts";
import { storyEvidence, storyExecutions } from "./story/evidence.ts";
import { exclusionSteps } from "./story/exclusions.ts";
import { identitySteps } from "./story/identity-protection.ts";
import { storyImagePolicies } from "./story/image-policies.ts";
import { indicatorSteps, inheritedIndicator } from "./story/indicators.ts";
import { play } from "./story/play.ts";
import { preventionSteps } from "./story/prevention.ts";
import type { Person, Step } from "./story/step.ts";

const people = ["administrator", "analyst", "responder"] as const satisfies readonly Person[];
const uncounted = (): void => undefined;

/** Operations that make files, and so need a store of them. */
const needingFiles: ReadonlySet<OperationId> = new Set([
  "LaunchExportJob",
  "entities.retrieve-rtr-file.post.v1",
]);

/** Numbers of records that a story adds to those of its tenant's plan. */
export const storyCases = 3;
export const storyExecutionCount = 3;
export const storyIndicators = 3;
const storyFiles = 4;

interface Counts {
  readonly cases: Count;
  readonly evidence: Count;
  readonly executions: Count;
  readonly indicators: Count;
  readonly files: Count;
}

/**
 * What people and an API client have configured and worked on in the tenant. `more`: further steps of its cases.
 * Records of an earlier call stay unchanged.
 */
export async function fillStory(
  filling: Filling,
  users: readonly StoredUser[],
  blobs: BlobStore | undefined,
  more: readonly Step[],
  counts: Counts,
): Promise<void> {
  const { store, tenant, known, seed, purpose, base } = filling;
  const cast = castOf(filling, users);
  const evidence = storyEvidence(cast);
  await insertAll(filling, alerts, evidence.alerts, counts.evidence);
  await insertAll(filling, events, evidence.events, counts.evidence);
  await insertAll(filling, executions, storyExecutions(cast), counts.executions);
  await addInherited(filling, cast, counts.indicators);
  counts.cases(storyCases);
  counts.indicators(storyIndicators);
  if (blobs !== undefined) counts.files(storyFiles);
  if ((await store.directory.client(known(knownReader.id))) !== null) return;
  await store.secrets.prepare();
  await addClient(filling, knownClient, everyScope);
  await insertAll(filling, imagePolicies, storyImagePolicies(cast), uncounted);
  await insertAll(filling, ruleGroups, storyRuleGroups(cast), uncounted);
  await addRole(filling, storyRole(cast));
  await play(
    {
      store,
      blobs: blobs ?? new MemoryBlobs(systemClock),
      cid: tenant.cid,
      clientId: known(knownClient.id),
      people: Object.fromEntries(people.map((part, index) => [part, users[index]])) as never,
      random: new Random(seed, `${purpose}/story`),
    },
    [
      ...caseManagementSteps(cast),
      ...containerSteps(cast),
      ...dataProtectionSteps(cast),
      ...exclusionSteps(cast),
      ...identitySteps(cast),
      ...indicatorSteps(cast),
      ...preventionSteps(cast),
      ...more,
    ].filter(({ operation }) => blobs !== undefined || !needingFiles.has(operation)),
  );
  await applyPolicies(filling, cast);
  await reachRegistries(filling, base);
  if (blobs !== undefined) {
    await attachStoryFiles(filling, blobs, cast);
    await finishJobs(filling, blobs, cast);
  }
  await addClient(filling, knownReader, everyReadScope);
}

function castOf(filling: Filling, users: readonly StoredUser[]): Cast {
  const { tenant, known, base, now } = filling;
  const [administrator, analyst] = users;
  // The first hosts are domain controllers, and the next one is a workstation.
  const [workstation, nextWorkstation, ...others] = [
    ...take(hostsOf(filling), knownWorkstation, knownWorkstation + 3),
  ];
  if (
    administrator === undefined ||
    analyst === undefined ||
    workstation === undefined ||
    nextWorkstation === undefined
  ) {
    throw new Error(`${tenant.name} has too few users and hosts for a story`);
  }
  return {
    cid: tenant.cid,
    known,
    workstation,
    nextWorkstation,
    now,
    hosts: [workstation, nextWorkstation, ...others].map(({ device_id }) => device_id),
    people: { administrator: administrator.uuid, analyst: analyst.uuid },
    groups: { finance: known(knownGroups.finance) },
    at: (daysAgo, time) => {
      const [hours = 0, minutes = 0, seconds = 0] = time.split(":").map(Number);
      return base - days(daysAgo) + Math.round(((hours * 60 + minutes) * 60 + seconds) * 1_000);
    },
  };
}

/** A client that made calls in the past. Nobody knows its secret. */
async function addClient(
  { store, tenant: { cid }, base, known }: Filling,
  { id, name }: { readonly id: string; readonly name: string },
  scopes: readonly string[],
): Promise<void> {
  const client_id = known(id);
  if ((await store.directory.client(client_id)) !== null) return;
  const created_at = instant(base - days(60));
  await store.directory.createClient(
    { client_id, cid, name, scopes, created_at },
    { hash: sha256(newSecret()), created_at, expires_at: null },
  );
}

const everyReadScope = everyScope.filter((scope) => scope.endsWith(":read"));

/** Does what the story has asked for: fetches a file from its host, and writes the export. */
async function finishJobs({ store }: Filling, blobs: BlobStore, cast: Cast): Promise<void> {
  const clock = { now: () => new Date(cast.at(1, "20:15:00.731")) };
  const hostFiles = new StoryHostFiles(cast.workstation.device_id);
  const { uploadBytes } = defaultConfig.limits;
  const parts = { store, blobs, clock, storage: null };
  const worker = new Worker({
    store,
    clock,
    logger: createLogger("silent"),
    kinds: [writeExports(parts), retrieveFiles({ ...parts, hostFiles, fileBytes: uploadBytes })],
  });
  await worker.settle();
}

/** A table and a picture that the client and the analyst have attached to the incident. */
async function attachStoryFiles(filling: Filling, blobs: BlobStore, cast: Cast): Promise<void> {
  const { store, known } = filling;
  const id = known(storyIncident);
  const now = new Date(filling.base);
  const readable = store.records(cases, everyCase(cast.cid));
  const owner = (await readable.getComplete([id], now)).get(id);
  if (owner === undefined) throw new Error("the story has no incident");
  const [, picture, capture] = caseFileContents;
  if (picture === undefined || capture === undefined) return;
  await attachFiles(
    filling,
    blobs,
    [
      {
        id: known("5d8c1e7fa2b34960b7d4c9e0f1a28364"),
        owner,
        at: cast.at(1, "08:41:17.602"),
        name: "process-tree.csv",
        description: "What Outlook started",
        content: Buffer.from(
          String.raw`process,parent,path
invoice-viewer.exe,outlook.exe,C:\Users\b.olsen\Downloads\invoice-viewer.exe
`,
        ),
      },
      {
        ...picture(owner),
        id: known("c1e3a5b7d9f04826b8d0f2a4c6e81357"),
        owner,
        at: cast.at(1, "08:47:02.550"),
      },
      {
        ...capture(owner),
        id: known("2e4c6a8b0d1f43759b7d5f3a1c0e2846"),
        owner,
        at: cast.at(1, "08:50:31.008"),
      },
    ],
    uncounted,
  );
}

/** An indicator of the parent tenant, which the documented tenant inherits. */
async function addInherited(
  { store, tenant: { parent_cid }, base, known }: Filling,
  cast: Cast,
  count: Count,
): Promise<void> {
  if (parent_cid === null || known !== asDocumented) return;
  count(1);
  const now = new Date(base);
  await store.write(parent_cid, async (transaction) => {
    const records = transaction.records(indicators);
    const indicator = inheritedIndicator(cast);
    if ((await records.getForUpdate([indicator.id])).size === 0) {
      await records.insert([indicator], now);
    }
  });
}

/** Roles of tenants are records of the platform. */
const addRole = ({ store, base }: Filling, role: CustomRole): Promise<void> =>
  store.write(platformCid, (transaction) =>
    transaction.records(customRoles).put([role], new Date(base)),
  );

/** Tells every host which prevention policy it has, as sensors do. */
async function applyPolicies({ store, tenant: { cid }, base }: Filling, cast: Cast): Promise<void> {
  const now = new Date(base);
  const applied_date = instant(cast.at(1, "10:12:30"));
  await store.write(cid, async (transaction) => {
    const policies = transaction.records(preventionPolicies);
    const enabled = await policies.findForUpdate(where.equal("enabled", true), now);
    const records = transaction.records(hosts);
    for (const { id, modified_timestamp, rule_group_ids } of enabled) {
      const members = await records.findForUpdate(await membersOf(store, cid, id, now), now);
      const policy = {
        policy_type: "prevention",
        policy_id: id,
        applied: true,
        assigned_date: modified_timestamp,
        applied_date,
        rule_groups: [...rule_group_ids],
        settings_hash: sha256(id).slice(0, 8),
      };
      const changed = members.map((host) => {
        const { applied_date: _applied, ...assigned } = policy;
        // A host that is away does not know of it.
        const own =
          (host.last_seen ?? "") < applied_date ? { ...assigned, applied: false } : policy;
        return { ...host, policies: [own], device_policies: { prevention: own } };
      });
      await records.replace(changed, now);
    }
  });
}

/** Registries that were reached yesterday, and are contacted again tomorrow. */
async function reachRegistries({ store, tenant }: Filling, base: number): Promise<void> {
  const reached = instant(base - days(1) + 30_672_402);
  await store.write(tenant.cid, async (transaction) => {
    const records = transaction.records(registries);
    const now = new Date(base);
    const pending = await records.findForUpdate(where.equal("state", "pending"), now);
    const active = pending.map(({ contact_at: _contact, ...registry }) =>
      registryInOrder({
        ...registry,
        state: "active",
        state_changed_at: reached,
        last_refreshed_at: reached,
        next_refresh_at: instant(base + days(2)),
        updated_at: reached,
      }),
    );
    await records.replace(active, now);
  });
}
