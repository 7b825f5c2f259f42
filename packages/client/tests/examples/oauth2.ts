import { expect } from "vitest";
import type { OperationId } from "../../src/index.ts";
import type { Examples } from "./example.ts";

export const oauth2Examples = {
  oauth2AccessToken: ({ credentials }) => ({
    input: { body: { ...credentials, scope: "ioc-management:read" } },
    expected: expect.objectContaining({ token_type: "bearer", scope: "ioc-management:read" }),
  }),
  oauth2RevokeToken: () => ({
    input: { body: { token: "unknown" } },
    expected: expect.objectContaining({ errors: [] }),
  }),
} satisfies Partial<Examples<OperationId>>;
