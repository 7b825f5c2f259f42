import type { components } from "@security-platform/spec";
import { expect } from "vitest";
import type { Answer, TestApi } from "./api.ts";
import { messages, type ErrorBody } from "./session.ts";

type Schemas = components["schemas"];
export type Group = Schemas["NotificationGroup"];
export type GroupV1 = Schemas["NotificationGroupV1"];
export type Sla = Schemas["Sla"];
export type Template = Schemas["CaseTemplate"];
export type Snapshot = Schemas["CaseTemplateSnapshot"];
export type AccessTag = Schemas["AccessTag"];

interface Kinds {
  readonly "notification-groups/v1": GroupV1;
  readonly "notification-groups/v2": Group;
  readonly "slas/v1": Sla;
  readonly "templates/v1": Template;
  readonly "fields/v1": Schemas["CaseField"];
  readonly "access-tags/v1": AccessTag;
  readonly "template-snapshots/v1": Snapshot;
}
export type KindPath = keyof Kinds;

/** Operations of one tenant's client on the configuration of cases. */
export class CaseConfiguration {
  readonly api: TestApi;

  constructor(api: TestApi) {
    this.api = api;
  }

  post<Path extends KindPath>(path: Path, body: unknown): Promise<Answer<Kinds[Path][]>> {
    return this.api.request("POST", `/casemgmt/entities/${path}`, { body });
  }

  patch<Path extends KindPath>(path: Path, body: unknown): Promise<Answer<Kinds[Path][]>> {
    return this.api.request("PATCH", `/casemgmt/entities/${path}`, { body });
  }

  get<Path extends KindPath>(
    path: Path,
    query: Readonly<Record<string, string | boolean | readonly string[]>>,
  ): Promise<Answer<Kinds[Path][]>> {
    return this.api.request("GET", `/casemgmt/entities/${path}`, { query });
  }

  query(path: KindPath, query: Readonly<Record<string, string>> = {}): Promise<Answer<string[]>> {
    return this.api.request("GET", `/casemgmt/queries/${path}`, { query });
  }

  remove(path: KindPath, ...ids: readonly string[]): Promise<Answer<string[]>> {
    return this.api.request("DELETE", `/casemgmt/entities/${path}`, { query: { ids } });
  }

  /** The record that a request created. */
  async created<Path extends KindPath>(path: Path, body: unknown): Promise<Kinds[Path]> {
    return only(await this.post(path, body));
  }

  /** The record after a change. */
  async changed<Path extends KindPath>(path: Path, body: unknown): Promise<Kinds[Path]> {
    return only(await this.patch(path, body));
  }

  async read<Path extends KindPath>(path: Path, id: string): Promise<Kinds[Path]> {
    return only(await this.get(path, { ids: id }));
  }

  /** The messages of a rejected template. */
  async refusedTemplate(members: object): Promise<readonly string[]> {
    const answer = await this.post("templates/v1", { name: "Refused", ...members });
    expect(answer.status, answer.text).toBe(400);
    return problemsOf(answer);
  }

  /** A group with an e-mail channel. */
  group(name: string, recipient = "on-call@example.com"): Promise<Group> {
    return this.created("notification-groups/v2", { name, channels: [email(recipient)] });
  }

  /** An SLA that notifies a group if a case is not acknowledged. */
  sla(name: string, ...groups: readonly string[]): Promise<Sla> {
    return this.created("slas/v1", {
      name,
      goals: [
        {
          type: "ack",
          duration_seconds: 900,
          escalation_policy: {
            steps: groups.map((notification_group_id, index) => ({
              notification_group_id,
              escalate_after_seconds: index * 600,
            })),
          },
        },
        { type: "resolve", duration_seconds: 28_800 },
      ],
    });
  }
}

export const email = (...recipients: readonly string[]) => ({
  type: "email",
  params: { recipients },
});

export const webhook = (url: string, secret = "0123456789abcdef") => ({
  type: "webhook",
  params: { url, secret },
});

export function only<Item>(answer: Answer<Item[]>): Item {
  expect(answer.status, answer.text).toBe(200);
  const [item] = answer.body;
  if (item === undefined) throw new Error("the answer is empty");
  return item;
}

/** The messages of an error. */
export const problemsOf = (answer: Answer): readonly string[] =>
  messages(answer as Answer<ErrorBody>);
