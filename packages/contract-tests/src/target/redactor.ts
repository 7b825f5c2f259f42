/** Keeps secrets out of everything that is shown. */
export class Redactor {
  readonly #secrets = new Map<string, string>();

  /** From now on `secret` reads `placeholder`. */
  hide(secret: string, placeholder: string): void {
    if (secret !== "") this.#secrets.set(secret, placeholder);
  }

  apply(text: string): string {
    let result = text;
    for (const [secret, placeholder] of this.#secrets)
      result = result.replaceAll(secret, placeholder);
    return result;
  }
}
