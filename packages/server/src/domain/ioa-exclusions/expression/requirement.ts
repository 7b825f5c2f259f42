/** Every match contains at least one of these texts, folded as `foldProcessText` does. */
export type Requirement = readonly string[];
