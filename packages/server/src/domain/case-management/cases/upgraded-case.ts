import type { components } from "@security-platform/spec";
import { completed, knownValues, type Reported } from "../evidence/analysis.ts";
import { allText } from "../kinds/all-text.ts";
import { inOrder, type StoredCase } from "../kinds/cases.ts";

type User = components["schemas"]["CaseUser"];

/** Users had no e-mail address if they were API clients. What the evidence contains had only known members. */
export function upgradedCase(stored: StoredCase): StoredCase {
  const { analysis_results, creation_actor, update_actor, assigned_to } = stored;
  const results = completed(reported(analysis_results));
  const upgraded = {
    ...stored,
    ...(assigned_to === undefined ? {} : { assigned_to: withEmail(assigned_to) }),
    created_by: withEmail(stored.created_by),
    creation_actor: actorWithEmail(creation_actor),
    last_updated_by: withEmail(stored.last_updated_by),
    update_actor: actorWithEmail(update_actor),
    analysis_results: { ...analysis_results, ...results },
    findings: { ...stored.findings, ...knownValues(results) },
  };
  return inOrder({ ...upgraded, all_text: allText(upgraded) });
}

const withEmail = ({ email = "", ...user }: User): User => ({ ...user, email });

const actorWithEmail = (actor: StoredCase["creation_actor"]): StoredCase["creation_actor"] =>
  actor.user === undefined ? actor : { ...actor, user: withEmail(actor.user) };

const reported = ({
  hosts,
  users,
  files,
  cloud_assets,
}: StoredCase["analysis_results"]): Reported => ({
  hosts: hosts.records,
  users: users.records,
  files: files.records,
  cloud_assets: cloud_assets.records,
});
