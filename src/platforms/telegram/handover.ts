import type { EventBatch } from '../../contracts/platform-adapter.ts';

/** Gives batches one at a time, and tells the giver when the next one was asked for: then the last is committed. */
export class Handover {
  #given: { readonly batch: EventBatch; readonly followed: (isCommitted: boolean) => void } | undefined;
  #wake = Promise.withResolvers<void>();
  #isClosed = false;

  /** Whether it was committed. `false`: it was not, or nobody can tell, and it must come again. */
  give(batch: EventBatch): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#given = { batch, followed: resolve };
    this.#wake.resolve();
    if (this.#isClosed) resolve(false);
    return promise;
  }

  async *take(): AsyncGenerator<EventBatch, void> {
    while (!this.#isClosed) {
      await this.#wake.promise;
      this.#wake = Promise.withResolvers<void>();
      const given = this.#given;
      if (given === undefined || this.#isClosed) continue;
      yield given.batch;
      given.followed(true);
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#given?.followed(false);
    this.#wake.resolve();
  }
}
