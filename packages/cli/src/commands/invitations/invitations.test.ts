import { beforeEach, expect, test } from "vitest";
import { exitCodes } from "../../terminal/exit-codes.ts";
import { commandLine, type CommandLine } from "../../testing/command-line.ts";
import { seededFolder } from "../../testing/prepared-folder.ts";

interface Invitation {
  readonly invitation_id: string;
  readonly invitation_token: string;
  readonly status: string;
  readonly invitee_email: string;
  readonly target_cid: string;
}

let secplat: CommandLine;
beforeEach(async () => {
  secplat = commandLine(await seededFolder());
});

const list = (...options: readonly string[]) =>
  secplat.json<readonly Invitation[]>(["invitations", "list", ...options]);

async function pending(): Promise<Invitation> {
  const invitation = (await list()).find(({ status }) => status === "pending");
  if (invitation === undefined) throw new Error("there is no pending invitation");
  return invitation;
}

test(
  "lists invitations of all tenants or of one, newest first",
  { tags: ["exhaustive"] },
  async () => {
    const all = await list();
    expect(all.map(({ status }) => status)).toEqual(["pending", "accepted"]);
    expect(await list("--tenant", "Harbour Demo", "--limit", "1")).toEqual(all.slice(0, 1));
    expect(await list("--tenant", "Harbour Branch")).toEqual([]);
    const { stdout } = await secplat(["invitations", "list"]);
    expect(stdout).toMatch(/^INVITATION ID +STATUS /);
    expect(stdout).not.toContain("ivt_");
  },
);

test.each(["accept", "cancel"])("%s takes the inviting tenant, and no other one", async (verb) => {
  const { invitation_id, target_cid } = await pending();
  const other = await secplat(["invitations", verb, invitation_id, "--tenant", "Harbour Branch"]);
  expect(other.exitCode).toBe(exitCodes.failure);
  expect(other.stderr).toContain(`invitation ${invitation_id} not found`);
  const own = await secplat(["invitations", verb, invitation_id, "--tenant", target_cid]);
  expect(own.exitCode, own.stderr).toBe(exitCodes.success);
});

test.each(["invitation_id", "invitation_token"] as const)("accepts by %s, once", async (member) => {
  const invitation = await pending();
  const accepted = await secplat.json(["invitations", "accept", invitation[member]]);
  expect(accepted).toMatchObject({
    invitation_id: invitation.invitation_id,
    status: "accepted",
    role_ids: ["falconhost_investigator"],
  });
  const again = await secplat(["invitations", "accept", invitation[member]]);
  expect(again.exitCode).toBe(exitCodes.failure);
  expect(again.stderr).toBe(
    `secplat: invitation ${invitation.invitation_id} cannot be answered: it is already accepted\n`,
  );
  const trail = await secplat.json<readonly { operation: string; ids: readonly string[] }[]>([
    "audit",
    "--tenant",
    invitation.target_cid,
    "--limit",
    "1",
  ]);
  expect(trail).toMatchObject([
    { operation: "invitations accept", actor: "cli", ids: [invitation.invitation_id] },
  ]);
});

test("cancels a pending invitation, which then cannot be accepted", async () => {
  const { invitation_id } = await pending();
  const { stdout } = await secplat(["invitations", "cancel", invitation_id]);
  expect(stdout).toContain("status      canceled\n");
  const accept = await secplat(["invitations", "accept", invitation_id]);
  expect(accept.stderr).toContain("it is already canceled");
  const again = await secplat(["invitations", "cancel", invitation_id]);
  expect(again.stderr).toContain("it is already canceled");
});

test("reports an unknown invitation", async () => {
  const { exitCode, stderr } = await secplat(["invitations", "accept", "ivt_x"]);
  expect(exitCode).toBe(exitCodes.failure);
  expect(stderr).toBe("secplat: invitation ivt_x not found\n");
  expect((await secplat(["invitations", "cancel", " "])).exitCode).toBe(exitCodes.usage);
});

test("shows the invitation mail, of all tenants or of one", async () => {
  const { invitation_token, invitee_email } = await pending();
  const [mail] = await secplat.json<readonly { to: string; text: string }[]>(["outbox"]);
  expect(mail).toMatchObject({ kind: "invitation", to: invitee_email });
  expect(mail?.text).toContain(invitation_token);
  expect(await secplat.json(["outbox", "--tenant", "Harbour Branch"])).toEqual([]);
  const { stdout } = await secplat(["outbox", "--tenant", "Harbour Demo"]);
  expect(stdout).toMatch(/^CREATED AT +KIND +STATE +TO +SUBJECT\n\S+ +invitation +- +/);
  expect(stdout).toContain("Invitation to Harbour Demo");
});

test("creates a client that acts as a user known to the tenant", async () => {
  const create = (user: string) =>
    secplat(["clients", "create", "x", "--tenant", "Harbour Demo", "--user", user, "--json"]);
  const { invitation_id, invitee_email } = await pending();
  const unknown = await create(invitee_email);
  expect(unknown.exitCode).toBe(exitCodes.failure);
  expect(unknown.stderr).toContain(
    `the user ${invitee_email} is unknown to the tenant Harbour Demo`,
  );
  await secplat(["invitations", "accept", invitation_id]);
  const { stdout } = await create(invitee_email.toUpperCase());
  const client = JSON.parse(stdout) as { user_uuid: string };
  expect(client.user_uuid).toMatch(/^[0-9a-f-]{36}$/);
  const clients = await secplat.json(["clients", "list", "--tenant", "Harbour Demo"]);
  expect(clients).toContainEqual(expect.objectContaining({ user_uuid: client.user_uuid }));
  const nobody = await create("nobody@harbour.example");
  expect(nobody.stderr).toContain("create the user first, or grant it a role there");
});
