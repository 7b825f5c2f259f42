import type { JsonSchema, Parameter, Operation } from "@security-platform/spec";
import { withBase } from "vitepress";
import type { CommandInfo } from "../../../scripts/reference/command-info.ts";

/** What the console needs of an operation: `console/<id>.json` of the site. */
export interface OperationData extends Pick<
  Operation,
  "id" | "method" | "path" | "collection" | "methodName" | "scope"
> {
  readonly parameters: readonly ParameterData[];
  readonly body: BodyData | null;
  /** The schemas to which the others refer. */
  readonly components: Readonly<Record<string, JsonSchema>>;
  /** Null for an operation without a command. */
  readonly command: CommandInfo | null;
  /** Id of the operation that lists the identifiers which this one needs. */
  readonly listOfIds?: string;
}

export type ParameterData = Pick<
  Parameter,
  "name" | "in" | "required" | "description" | "schema" | "example"
> & {
  /** Name of the table of FQL fields, for filters and sorts. */
  readonly fields?: string;
};

export interface BodyData {
  readonly required: boolean;
  readonly mediaType: string;
  readonly schema: JsonSchema;
  /** Members that are files; only for an upload. */
  readonly files: readonly string[];
  /** The GraphQL schema that the query of the body refers to, as SDL. */
  readonly graphql?: string;
  readonly examples: readonly { readonly title: string; readonly value: unknown }[];
}

/** Loads the data of an operation. Throws an error with a sentence for the reader. */
export async function loadOperation(id: string): Promise<OperationData> {
  const response = await fetch(withBase(`/console/${id}.json`)).catch(() => null);
  if (response?.ok === true) return (await response.json()) as OperationData;
  const reason = response === null ? "there is no connection" : `status ${response.status}`;
  throw new Error(`The form could not be loaded (${reason}). Reload the page and try again.`);
}
