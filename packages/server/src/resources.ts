import { executions } from "./domain/ioc/executions.ts";
import { indicators } from "./domain/ioc/indicators.ts";
import { outbox } from "./domain/user-management/outbox.ts";
import type { Resource } from "./store/types.ts";

/** Every kind of record the platform stores. */
export const resources: readonly Resource[] = [indicators, executions, outbox];
