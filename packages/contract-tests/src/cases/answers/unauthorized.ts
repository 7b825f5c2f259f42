import { emptyRequest } from "../../requests/request.ts";
import { noAccess, ownAccess, type Access } from "../../target/credentials.ts";
import type { Case } from "../case.ts";
import type { CaseContext, RunContext } from "../case-context.ts";
import { documents, type Generator } from "../generator.ts";

/** The authorization of a request, which may depend on the target. */
type Way = readonly [title: string, access: Access | ((context: CaseContext) => Promise<Access>)];

const header = (value: string): Access => ({ kind: "header", value });

const basic = (pair: string): Access => header(`Basic ${Buffer.from(pair).toString("base64")}`);

const revokeOperation = "oauth2RevokeToken";

/** Requests without a valid token … */
const withoutToken: readonly Way[] = [
  ["no token", noAccess],
  ["a malformed header", header("Bearer not a token!")],
  ["another scheme", header("Basic YTpi")],
  ["an unknown token", header(`Bearer spt_${"0".repeat(40)}`)],
  ["a revoked token", async (context) => header(`Bearer ${await revokedToken(context)}`)],
];

/** The first case of a run revokes a token for all cases. Null: it failed. */
const revokedTokens = new WeakMap<RunContext, Promise<string | null>>();

async function revokedToken(context: CaseContext): Promise<string> {
  const earlierToken = revokedTokens.get(context.run);
  if (earlierToken !== undefined) return (await earlierToken) ?? revokeToken(context);
  const revoked = revokeToken(context);
  revokedTokens.set(
    context.run,
    revoked.catch(() => null),
  );
  return revoked;
}

async function revokeToken(context: CaseContext): Promise<string> {
  const token = await context.run.target.newToken("own");
  const operation = context.operationById(revokeOperation);
  const parts = { ...emptyRequest, body: { token } };
  const answer = await context.send(parts, { operation, access: ownAccess });
  context.needStatus(answer, operation.successStatus);
  return token;
}

/** … and, for operations that use credentials instead, without valid credentials. */
const withoutCredentials: readonly Way[] = [
  ["an unknown client", basic(`${"0".repeat(32)}:${"x".repeat(40)}`)],
  ["a malformed header", header("Basic !!!")],
];

/**
 * 401 with the challenge of RFC 6750 (RFC 7617 for credentials) without a valid token. With a valid
 * token, a documented response, in any case of the scheme name.
 */
export const unauthorized: Generator = (operation, { conformance: { contract } }) => {
  if (!documents(operation, 401)) return [];
  const [ways, scheme] =
    operation.scope === null ? [withoutCredentials, "Basic"] : [withoutToken, "Bearer"];
  const revokes = contract.operations.some(({ id }) => id === revokeOperation);
  return [
    ...ways
      .filter(([title]) => revokes || title !== "a revoked token")
      .map(([title, access]): Case => ({
        operation,
        status: 401,
        law: "token",
        title,
        needs: [],
        run: async (context) => {
          const resolvedAccess = typeof access === "function" ? await access(context) : access;
          const parts = context.happy(await context.refusable());
          const answer = await context.send(parts, { access: resolvedAccess });
          context.needStatus(answer, 401);
          const challenge = answer.headers["www-authenticate"] ?? "";
          context.check(
            answer,
            challenge.startsWith(scheme),
            "wrong challenge in WWW-Authenticate",
            {
              expected: `${scheme} …`,
              got: challenge,
            },
          );
        },
      })),
    ...(operation.scope === null ? [] : [anyCase(operation)]),
  ];
};

/** RFC 9110 §11.1: the name of a scheme is case-insensitive. */
const anyCase = (operation: Case["operation"]): Case => ({
  operation,
  status: operation.successStatus,
  law: "token",
  title: "the scheme in any case",
  needs: [],
  run: async (context) => {
    const access = header(`bEARER ${await context.run.target.token("own")}`);
    const answer = await context.send(context.happy(await context.own()), { access });
    context.needStatus(answer, operation.successStatus);
  },
});
