import type { components } from "@security-platform/spec";

export type ImageDetection = components["schemas"]["ImageDetection"];

/** A detection before it has an identifier. */
export type NewDetection = Omit<ImageDetection, "ID">;
