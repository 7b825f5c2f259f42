import type { components } from "@security-platform/spec";
import { expect } from "vitest";
import { importRecords, type ImportKind } from "../../src/imports/index.ts";
import type { Answer, TestApi } from "./api.ts";

export const graphqlPath = "/identity-protection/combined/graphql/v1";

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** A response whose data a test inspects. */
export interface GraphqlAnswer extends Omit<
  components["schemas"]["IdentityGraphqlAnswer"],
  "data"
> {
  readonly data?: { readonly [name: string]: Json } | null;
}

/** A UUID derived from a number. */
export const uuid = (number: number, kind = 0): string =>
  `${kind.toString(16).padStart(8, "0")}-0000-4000-8000-${number.toString(16).padStart(12, "0")}`;

export const user = (number: number, more: object = {}): object => ({
  entityId: uuid(number),
  type: "USER",
  primaryDisplayName: `User ${number}`,
  ...more,
});

export const endpoint = (number: number, more: object = {}): object => ({
  entityId: uuid(number),
  type: "ENDPOINT",
  primaryDisplayName: `HOST-${number}`,
  ...more,
});

/** Imports lines and expects that all are accepted. */
export async function have(
  { store, clock, tenant }: Pick<TestApi, "store" | "clock" | "tenant">,
  kind: ImportKind,
  lines: readonly object[],
  cid = tenant.cid,
): Promise<void> {
  const texts = lines.map((line) => JSON.stringify(line));
  const outcome = await importRecords(store, { cid, kind, clock, lines: texts, update: true });
  expect(outcome).toMatchObject({ rejected: 0, problems: [] });
}

export const ask = (
  api: TestApi,
  query: string,
  variables?: object | string,
  token = api.token,
): Promise<Answer<GraphqlAnswer>> =>
  api.request<GraphqlAnswer>("POST", graphqlPath, {
    token,
    body: { query, ...(variables === undefined ? {} : { variables }) },
  });

/** Runs a query, expects success, and returns its data. */
export async function dataOf(
  api: TestApi,
  query: string,
  variables?: object | string,
): Promise<NonNullable<GraphqlAnswer["data"]>> {
  const { status, body, text } = await ask(api, query, variables);
  expect(status, text).toBe(200);
  expect(body.errors, text).toBeUndefined();
  return body.data ?? {};
}
