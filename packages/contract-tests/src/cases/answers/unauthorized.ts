import { noAccess, type Access } from "../../target/credentials.ts";
import { documents, type Generator } from "../generator.ts";

const header = (value: string): Access => ({ kind: "header", value });

const basic = (pair: string): Access => header(`Basic ${Buffer.from(pair).toString("base64")}`);

/** Ways to come without a valid token … */
const withoutToken: readonly (readonly [string, Access])[] = [
  ["no token", noAccess],
  ["a malformed header", header("Bearer not a token!")],
  ["another scheme", header("Basic YTpi")],
  ["an unknown token", header(`Bearer spt_${"0".repeat(40)}`)],
];

/** … and, at operations that take credentials instead, without valid credentials. */
const withoutCredentials: readonly (readonly [string, Access])[] = [
  ["an unknown client", basic(`${"0".repeat(32)}:${"x".repeat(40)}`)],
  ["a malformed header", header("Basic !!!")],
];

/** 401 with the challenge of RFC 6750 (RFC 7617 where credentials are taken), and nothing else. */
export const unauthorized: Generator = (operation) => {
  if (!documents(operation, 401)) return [];
  const [ways, scheme] =
    operation.scope === null ? [withoutCredentials, "Basic"] : [withoutToken, "Bearer"];
  return ways.map(([title, access]) => ({
    operation,
    status: 401,
    law: "token",
    title,
    needs: [],
    run: async (context) => {
      const answer = await context.send(context.happy(await context.readable()), { access });
      context.needStatus(answer, 401);
      const challenge = answer.headers["www-authenticate"] ?? "";
      context.check(answer, challenge.startsWith(scheme), "wrong challenge in WWW-Authenticate", {
        expected: `${scheme} …`,
        got: challenge,
      });
    },
  }));
};
