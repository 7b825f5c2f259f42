import type { OperationHandlers } from "../../handler.ts";
import { accessTagHandlers } from "./access-tags.ts";
import { casesHandlers } from "./cases.ts";
import { fileHandlers } from "./files.ts";
import { notificationGroupHandlers } from "./notification-groups.ts";
import { slaHandlers } from "./slas.ts";
import { templateHandlers } from "./templates.ts";

export const caseManagementHandlers = {
  ...accessTagHandlers,
  ...casesHandlers,
  ...fileHandlers,
  ...notificationGroupHandlers,
  ...slaHandlers,
  ...templateHandlers,
} satisfies Partial<OperationHandlers>;
