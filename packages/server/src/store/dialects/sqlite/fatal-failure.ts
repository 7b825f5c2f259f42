import { StoreFullError } from "../../types/errors.ts";

/**
 * The failure after which a transaction can only be undone: the engine has ended it, or the disk is full. Further
 * statements would be committed alone, or would fail with an error of their own.
 */
export class FatalFailure {
  #failure: { readonly error: unknown } | null = null;

  /** Called before each statement. */
  throwIfAny(): void {
    if (this.#failure !== null) throw this.#failure.error;
  }

  /** Called after a statement of a transaction has failed. `isOpen`: whether the transaction still is. */
  note(error: unknown, isOpen: boolean): void {
    if (!isOpen || error instanceof StoreFullError) this.#failure = { error };
  }

  /** Called when the transaction begins or is undone. */
  clear(): void {
    this.#failure = null;
  }
}
