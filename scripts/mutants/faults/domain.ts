import type { Groups } from "../fault.ts";

const domain = "packages/server/src/domain";
const tests = "packages/server/tests";

/** Rules of the collections. */
export const domainFaults: Groups = {
  "domain bounds": [
    {
      breaks: "the shortest password is refused",
      file: `${domain}/user-management/passwords/set-password.ts`,
      text: "length >= minimumLength",
      replacement: "length > minimumLength",
      tests: [`${tests}/users-passwords.test.ts`],
    },
    {
      breaks: "an indicator may expire now",
      file: `${domain}/ioc/expiration.ts`,
      text: "expiration > current",
      replacement: "expiration >= current",
      tests: [`${tests}/instants.test.ts`],
    },
    {
      breaks: "a GraphQL query with the deepest nesting is refused",
      file: `${domain}/identity-protection/graph/cost.ts`,
      text: "if (depth > deepest)",
      replacement: "if (depth >= deepest)",
      tests: [`${tests}/identity-graphql-refusals.test.ts`],
    },
    {
      breaks: "deliveries are kept for 91 days",
      file: `${domain}/case-management/notifications/keep-deliveries.ts`,
      text: "const retentionDays = 90;",
      replacement: "const retentionDays = 91;",
      tests: [`${tests}/case-delivery-attempts.test.ts`],
    },
  ],
  "domain rules": [
    {
      breaks: "a later grant changes since when an external user has access",
      file: `${domain}/user-management/grants/change-grants.ts`,
      text: "since.get(role_id) ?? now.toISOString()",
      replacement: "[since, now.toISOString()][1]",
      tests: [`${tests}/invitations-lifecycle.test.ts`],
    },
    {
      breaks: "a policy compares the score by the older version of CVSS",
      file: `${domain}/container/image-policies/evaluate.ts`,
      text: "Details.cvss_v3_score?.base_score ?? Details.cvss_v2_score?.base_score",
      replacement: "Details.cvss_v2_score?.base_score ?? Details.cvss_v3_score?.base_score",
      tests: [`${tests}/container-policies.test.ts`],
    },
    {
      breaks: "a layer that does not match its digest is scanned",
      file: `${domain}/container/images/read-layer.ts`,
      text: 'if (!digest.startsWith("sha256:") || digest ===',
      replacement: 'if (digest.startsWith("sha256:") || digest ===',
      tests: [`${tests}/image-reading.test.ts`],
    },
    {
      breaks: "the newest export that waits is the next one",
      file: `${domain}/container/exports/export-states.ts`,
      text: 'direction: "asc"',
      replacement: 'direction: "desc"',
      tests: [`${tests}/container-exports.test.ts`],
    },
    {
      breaks: "a policy rule may include and exclude a destination",
      file: `${domain}/identity-protection/policy-rules.ts`,
      text: '["activity", "source_user", "source_endpoint", "destination"] as const',
      replacement: '["activity", "source_user", "source_endpoint"] as const',
      tests: [`${tests}/identity-policy-rules.test.ts`],
    },
    {
      breaks: "the status 425 of a receiver ends a delivery",
      file: `${domain}/case-management/notifications/deliver.ts`,
      text: "[408, 409, 423, 425, 429]",
      replacement: "[408, 409, 423, 429]",
      tests: [`${tests}/case-delivery-attempts.test.ts`],
    },
  ],
  mails: [
    {
      breaks: "a mail whose content is refused is sent again",
      file: "packages/server/src/mail/smtp-mailer.ts",
      text: '["RCPT TO", "DATA"].includes',
      replacement: '["RCPT TO"].includes',
      tests: [`${tests}/mails.test.ts`],
    },
  ],
  jobs: [
    {
      breaks: "a job overtakes one with its key that runs",
      file: "packages/server/src/store/jobs/jobs.ts",
      text: "and (other.state = 'running' or other.due_at < job.due_at",
      replacement: "and (other.due_at < job.due_at",
      tests: [`${tests}/jobs-queue.test.ts`],
    },
    {
      breaks: "the dead job of an instant that moved stays",
      file: "packages/server/src/store/writing/due-instants.ts",
      text: "and state in ('queued', 'failed', 'dead')",
      replacement: "and state in ('queued', 'failed')",
      tests: [`${tests}/jobs-due.test.ts`],
    },
    {
      breaks: "files are purged an hour after they were stored",
      file: "packages/server/src/jobs/purge-blobs.ts",
      text: "const youngest = day;",
      replacement: "const youngest = day / 24;",
      tests: [`${tests}/jobs-upkeep.test.ts`],
    },
  ],
  upgrades: [
    {
      breaks: "an upgrade leaves out what a scan that has begun still shows",
      file: "packages/server/src/store/schema/upgrade-table.ts",
      text: "and (valid_to is null or valid_to > ${tenant?.swept ?? 0})",
      replacement: "and (valid_to is null or valid_to < ${tenant?.swept ?? 0})",
      tests: [`${tests}/store-upgrade.test.ts`],
    },
    {
      breaks: "an upgrade goes on with the next tenant",
      file: "packages/server/src/store/schema/upgrade-records.ts",
      text: "and cid >= ${place.cid} order by cid",
      replacement: "and cid > ${place.cid} order by cid",
      tests: [`${tests}/store-upgrade.test.ts`],
    },
  ],
};
