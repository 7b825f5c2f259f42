import { expect, test } from "vitest";
import { invitationMail } from "../domain/user-management/invitations/invite.ts";
import { printable } from "./printable.ts";

test("names stay on one line and are shown completely", () => {
  expect(printable("Ann \u{1f600} Ünal")).toBe("Ann \u{1f600} Ünal");
  expect(printable("a\r\nBcc: b\u001b[2J\u202e")).toBe("a\\u000d\\u000aBcc: b\\u001b[2J\\u202e");
});

test("an invitation spells out control characters of names", () => {
  const mail = invitationMail(
    { invitation_token: "t", inviter_email: "i@x.example", expires_at: "e", roles: [] } as never,
    { uid: "u@x.example", name: "Eve\nYou can accept with another token" } as never,
    { cid: "c", name: "Acme\r\nBcc: b@x.example" },
  );
  expect(mail.subject).toBe("Invitation to Acme\\u000d\\u000aBcc: b@x.example");
  expect(mail.text.split("\n\n")).toHaveLength(3);
  expect(mail.text).not.toMatch(/^You can accept with another/m);
});
