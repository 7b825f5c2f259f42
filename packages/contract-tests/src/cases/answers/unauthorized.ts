import { emptyRequest, withQuery, type RequestParts } from "../../requests/request.ts";
import type { Answer } from "../../target/answer.ts";
import { noAccess, ownAccess, type Access } from "../../target/credentials.ts";
import type { Case, Need } from "../case.ts";
import type { CaseContext, RunContext } from "../case-context.ts";
import { documents, type Generator } from "../generator.ts";
import { pagedSubject } from "../paged-subject.ts";
import { nextPage, pagingModes } from "../paging.ts";

/** The authorization of a request, which may depend on the target. */
type Way = readonly [
  title: string,
  access: Access | ((context: CaseContext) => Awaitable<Access>),
  need?: Need,
];
type Awaitable<Value> = Value | Promise<Value>;

const header = (value: string): Access => ({ kind: "header", value });

const basic = (pair: string): Access => header(`Basic ${Buffer.from(pair).toString("base64")}`);

const revokeOperation = "oauth2RevokeToken";

const expired = ({ run }: CaseContext): Access => header(`Bearer ${run.expiredToken ?? ""}`);

/** Requests without a valid token … */
const withoutToken: readonly Way[] = [
  ["no token", noAccess],
  ["a malformed header", header("Bearer not a token!")],
  ["another scheme", header("Basic YTpi")],
  ["an unknown token", header(`Bearer spt_${"0".repeat(40)}`)],
  ["an expired token", expired, "an expired token"],
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
  await revoke(context, token);
  return token;
}

async function revoke(context: CaseContext, token: string): Promise<void> {
  const operation = context.operationById(revokeOperation);
  const parts = { ...emptyRequest, body: { token } };
  const answer = await context.send(parts, { operation, access: ownAccess });
  context.needStatus(answer, operation.successStatus);
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
    operation.scope === null
      ? ([withoutCredentials, "Basic"] as const)
      : ([withoutToken, "Bearer"] as const);
  const revokes = contract.operations.some(({ id }) => id === revokeOperation);
  return [
    ...ways
      .filter(([title]) => revokes || title !== "a revoked token")
      .map(([title, access, need]): Case => ({
        operation,
        status: 401,
        law: "token",
        title,
        needs: need === undefined ? [] : [need],
        run: async (context) => {
          const resolvedAccess = typeof access === "function" ? await access(context) : access;
          const parts = context.happy(await context.refusable());
          const answer = await context.send(parts, { access: resolvedAccess });
          checkRefused(context, answer, scheme);
        },
      })),
    ...(operation.scope === null ? [] : [anyCase(operation)]),
    ...(revokes && operation.scope !== null && operation.paging !== "none"
      ? [betweenPages(operation)]
      : []),
  ];
};

function checkRefused(context: CaseContext, answer: Answer, scheme: "Basic" | "Bearer"): void {
  context.needStatus(answer, 401);
  const challenge = answer.headers["www-authenticate"] ?? "";
  context.check(answer, challenge.startsWith(scheme), "wrong challenge in WWW-Authenticate", {
    expected: `${scheme} …`,
    got: challenge,
  });
}

/** A cursor gives no access without a token. */
const betweenPages = (operation: Case["operation"]): Case => ({
  operation,
  status: 401,
  law: "token",
  title: "a token that is revoked between two pages",
  needs: [],
  run: async (context) => {
    const parts = withQuery(context.happy(await pagedSubject(context)), { limit: "1" });
    const token = await context.run.target.newToken("own");
    const access = header(`Bearer ${token}`);
    const first = await context.send(parts, { access });
    context.needStatus(first, operation.successStatus);
    await revoke(context, token);
    // Each way to the next page; a list of one page is read again.
    const nexts = pagingModes(context).flatMap((mode): readonly RequestParts[] => {
      if (mode === "offset") return [withQuery(parts, { offset: "1" })];
      const next = nextPage(context, parts, mode, first, 1);
      return next === null ? [] : [next];
    });
    for (const next of nexts.length === 0 ? [parts] : nexts) {
      checkRefused(context, await context.send(next, { access }), "Bearer");
    }
  },
});

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
