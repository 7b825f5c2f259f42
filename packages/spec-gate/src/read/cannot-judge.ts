/** The documents cannot be compared; the message says where, what was expected and what to do. */
export class CannotJudge extends Error {
  override readonly name = "CannotJudge";
}
