import { expect, onTestFinished } from "vitest";
import { defaultOutgoing } from "../../src/foundation/config.ts";
import {
  registries,
  type RegistryEntity,
} from "../../src/domain/container/registries/registries.ts";
import type { TestApi } from "./api.ts";
import { startOciRegistry, type OciRegistryOptions } from "./oci-registry.ts";

export const registriesPath = "/container-security/entities/registries/v1";
export const login = { username: "scanner", password: "hb_9sQ2vLx7KdR4" };

export const createRegistry = async (api: TestApi, body: object): Promise<RegistryEntity> => {
  const answer = await api.request<RegistryEntity>("POST", registriesPath, { body });
  expect(answer.text).not.toContain(login.password);
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
};

export const readRegistry = async (api: TestApi, id: string): Promise<RegistryEntity> => {
  const { body } = await api.request<readonly RegistryEntity[]>("GET", registriesPath, {
    query: { ids: id },
  });
  return body[0] as RegistryEntity;
};

export const updateRegistry = (api: TestApi, id: string, body: object) =>
  api.request<RegistryEntity>("PATCH", registriesPath, { query: { id }, body });

/** The record including its hidden members. */
export const wholeRegistry = async (api: TestApi, id: string) =>
  (
    await api.store.records(registries, { cid: api.tenant.cid }).getComplete([id], api.clock.now())
  ).get(id);

export const ociRegistry = async (options: OciRegistryOptions) => {
  const started = await startOciRegistry(options);
  onTestFinished(() => started.close());
  return started;
};

/**
 * Configuration of the test servers: registries are on this machine, and the clock advances by
 * days.
 */
export const registryServer = {
  limits: { tokenSeconds: 365 * 86_400 },
  config: { outgoing: { ...defaultOutgoing, allowedNetworks: ["127.0.0.0/8"] } },
};

export interface Problems {
  readonly errors: readonly {
    readonly code: number;
    readonly message: string;
    readonly id?: string;
  }[];
  readonly resources?: readonly RegistryEntity[];
}
