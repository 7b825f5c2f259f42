import type { components } from "@security-platform/spec";
import { newUuid } from "../../../foundation/identifiers.ts";
import {
  secretDetails,
  type CredentialDetails,
  type CredentialSecrets,
  type RegistryType,
} from "./registries.ts";

type Credential = components["schemas"]["RegistryCredential"];

/** The served credential, and its secrets. */
export interface NewCredential {
  readonly credential: Credential;
  readonly secrets: CredentialSecrets;
}

/**
 * A credential from a request. It replaces the previous credential completely, but keeps its id.
 */
export function newCredential(
  type: RegistryType,
  details: CredentialDetails,
  before: Credential | undefined,
  now: Date,
): NewCredential {
  const at = now.toISOString();
  return {
    credential: {
      id: before?.id ?? newUuid(),
      details: shownDetails(type, details),
      expired: false,
      created_at: before?.created_at ?? at,
      updated_at: at,
    },
    secrets: Object.fromEntries(
      secretDetails.flatMap((name) => (name in details ? [[name, details[name]]] : [])),
    ),
  };
}

/** The details without secrets. */
function shownDetails(type: RegistryType, details: CredentialDetails): Credential["details"] {
  const {
    password: _password,
    cert: _cert,
    service_account_json: account,
    aws_gov_using_commercial_connection: isGovernment = false,
    ...shown
  } = details;
  return {
    ...shown,
    ...(type === "ecr" ? { aws_gov_using_commercial_connection: isGovernment } : {}),
    ...(account === undefined ? {} : { client_email: account.client_email }),
  };
}
