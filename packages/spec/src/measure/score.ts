import { redocly } from "../generate/bundle.ts";

/** The scores of `redocly score`. Parts range from 0 to 1, the two totals from 0 to 100. */
export interface Score {
  readonly agentReadiness: number;
  readonly discoverability: number;
  readonly subscores: Readonly<Record<string, number>>;
}

/**
 * Minimum scores, slightly below the current ones. Totals are not in `subscores`. Lists of types are written as unions,
 * because generators do not compile them; without that, simplicity would be 0.53 and clarity of unions 0.88.
 */
export const scoreFloors: Readonly<Record<string, number>> = {
  agentReadiness: 87.5,
  discoverability: 75,
  parameterSimplicity: 0.81,
  schemaSimplicity: 0.51,
  documentationQuality: 1,
  constraintClarity: 0.93,
  exampleCoverage: 0.99,
  errorClarity: 1,
  dependencyClarity: 0.49,
  identifierClarity: 1,
  polymorphismClarity: 0.82,
};

/** Scores the document; `root` is the repository. */
export const scoreOf = (root: string): Score =>
  JSON.parse(redocly(root, "score", "security-platform", "--format=json")) as Score;

/** Each score with its floor, totals first. */
export const figuresOf = ({ agentReadiness, discoverability, subscores }: Score) =>
  Object.entries({ agentReadiness, discoverability, ...subscores }).map(([name, figure]) => ({
    name,
    figure,
    floor: scoreFloors[name],
  }));
