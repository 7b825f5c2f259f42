/** Minimum length of a secret. Replacing shorter texts would make reports unreadable. */
const shortestSecret = 6;

/** Removes secrets from all output. */
export class Redactor {
  readonly #secrets = new Map<string, string>();

  /** Replaces `secret` by `placeholder` from now on. */
  hide(secret: string, placeholder: string): void {
    if (secret.length >= shortestSecret) this.#secrets.set(secret, placeholder);
  }

  apply(text: string): string {
    let result = text;
    for (const [secret, placeholder] of this.#secrets)
      result = result.replaceAll(secret, placeholder);
    return result;
  }
}
