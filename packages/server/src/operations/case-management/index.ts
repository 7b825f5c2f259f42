import type { OperationHandlers } from "../../handler.ts";
import { casesHandlers } from "./cases.ts";

export const caseManagementHandlers = {
  ...casesHandlers,
} satisfies Partial<OperationHandlers>;
