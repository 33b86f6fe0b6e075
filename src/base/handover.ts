/** Gives things one at a time, and tells the giver when the next one was asked for: then the last is committed. */
export class Handover<Given> {
  #given: { readonly value: Given; readonly followed: (isCommitted: boolean) => void } | undefined;
  #wake = Promise.withResolvers<void>();
  #isClosed = false;

  /** Whether it was committed. `false`: it was not, or nobody can tell, and it must come again. */
  give(value: Given): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#given = { value, followed: resolve };
    this.#wake.resolve();
    if (this.#isClosed) resolve(false);
    return promise;
  }

  async *take(): AsyncGenerator<Given, void> {
    while (!this.#isClosed) {
      await this.#wake.promise;
      this.#wake = Promise.withResolvers<void>();
      const given = this.#given;
      if (given === undefined || this.#isClosed) continue;
      yield given.value;
      given.followed(true);
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#given?.followed(false);
    this.#wake.resolve();
  }
}
