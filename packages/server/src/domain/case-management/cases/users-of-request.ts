import type { Problem } from "../../../foundation/errors.ts";
import type { WritingCall } from "../../../records/write.ts";
import { findUser } from "../identity.ts";
import type { Case } from "../kinds/cases.ts";

interface NamedUsers {
  readonly assigned_to_user_uuid?: string | undefined;
  readonly description_tagged_users?: readonly string[] | undefined;
}

/** The assigned user of a request, and a problem for each user that does not exist. */
export async function usersOfRequest(
  { caller, context, now }: WritingCall,
  { assigned_to_user_uuid: assigned, description_tagged_users: tagged = [] }: NamedUsers,
  at: string,
): Promise<{
  readonly assignedTo: Case["assigned_to"] | undefined;
  readonly problems: readonly Problem[];
}> {
  const find = (uuid: string) => findUser({ cid: caller.cid, store: context.store, now }, uuid);
  const problems: Problem[] = [];
  const refuse = (member: string, uuid: string) =>
    problems.push({ at: `${at}.${member}`, id: uuid, message: `there is no user ${uuid}` });
  const assignedTo = assigned === undefined ? undefined : await find(assigned);
  if (assigned !== undefined && assignedTo === undefined) refuse("assigned_to_user_uuid", assigned);
  const mentioned = await Promise.all(tagged.map(find));
  for (const [index, uuid] of tagged.entries()) {
    if (mentioned[index] === undefined) refuse(`description_tagged_users[${index}]`, uuid);
  }
  return { assignedTo, problems };
}
