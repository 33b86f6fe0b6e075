import { waitUnlessAborted } from '../../base/waits.ts';
import { MailFailure, toMailFailure } from './failures.ts';
import { openFolder, type OpenFolder } from './mailbox.ts';
import type { EmailSettings } from './settings.ts';

const REST_MS = 20_000;

/**
 * A second connection, for what is asked besides receiving: files, and copies of what was sent. A large file must not keep mails
 * from coming. It is opened when it is needed, serves one after the other and closes after a rest.
 */
export class MailReader implements AsyncDisposable {
  readonly #settings: EmailSettings;
  readonly #life = new AbortController();
  #open: { readonly path: string; readonly folder: OpenFolder } | undefined;
  #line: Promise<unknown> = Promise.resolve();
  #rest: NodeJS.Timeout | undefined;

  constructor(settings: EmailSettings) {
    this.#settings = settings;
  }

  async use<Result>(path: string, work: (folder: OpenFolder) => Promise<Result>, signal: AbortSignal): Promise<Result> {
    const mine = this.#line.then(() => this.#run(path, work, signal));
    this.#line = mine.catch(() => undefined);
    const result = await waitUnlessAborted(
      mine.then((value) => ({ value })),
      signal,
    );
    if (result === undefined) throw new MailFailure('closed', 'It was stopped.');
    return result.value;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#life.abort();
    await this.#close();
  }

  async #run<Result>(path: string, work: (folder: OpenFolder) => Promise<Result>, signal: AbortSignal): Promise<Result> {
    signal.throwIfAborted();
    const stop = (): void => void this.#close();
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await work(await this.#folderAt(path));
    } catch (error) {
      await this.#close();
      throw toMailFailure(error);
    } finally {
      signal.removeEventListener('abort', stop);
      this.#rest = setTimeout(() => void this.#close(), REST_MS).unref();
    }
  }

  async #folderAt(path: string): Promise<OpenFolder> {
    clearTimeout(this.#rest);
    if (this.#open?.path === path) return this.#open.folder;
    await this.#close();
    const folder = await openFolder(this.#settings, path, this.#life.signal);
    this.#open = { path, folder };
    void folder.ended.then(() => this.#open?.folder === folder && (this.#open = undefined));
    return folder;
  }

  async #close(): Promise<void> {
    clearTimeout(this.#rest);
    const was = this.#open;
    this.#open = undefined;
    await was?.folder[Symbol.asyncDispose]();
  }
}
