/** Every match contains at least one of these texts, which are folded by `foldProcessText`. */
export type Requirement = readonly string[];
