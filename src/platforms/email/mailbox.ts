import type { FetchMessageObject, ImapFlow } from 'imapflow';
import type { EncodedText } from './bodies.ts';
import { MailFailure } from './failures.ts';
import { ImapLine } from './imap-line.ts';
import { watchNews } from './news.ts';
import type { EmailSettings } from './settings.ts';
import type { MailNode } from './structure.ts';

/** A folder of mails that is open at the server, over a connection of its own. Every call ends by itself; what fails is a `MailFailure`. */
export interface OpenFolder extends AsyncDisposable {
  /** While it is the same, numbers mean the same mails. */
  readonly validity: string;
  /** Greater than the number of every mail that was there when it was opened. */
  readonly nextUid: number;
  /** Numbers beyond this one, in order. */
  listAfter(uid: number): Promise<readonly number[]>;
  /** Numbers of mails that came on the day of this time or later, in order. */
  listSince(time: number): Promise<readonly number[]>;
  findByMessageId(id: string): Promise<readonly number[]>;
  /** Those that are still there. */
  readHeads(uids: readonly number[]): Promise<readonly MailHead[]>;
  /** The beginning of a part. */
  readText(uid: number, node: MailNode, header: Uint8Array): Promise<EncodedText>;
  /** A part without its transfer encoding; nothing when it is not there. */
  openPart(uid: number, part: string, maxBytes: number): Promise<AsyncIterable<Uint8Array> | undefined>;
  /** Keeps a copy of a mail that was sent, unless the server does so by itself or has no place for it. */
  keepSent(mail: Uint8Array): Promise<void>;
  /** The folder with the copies of what was sent, as the server names it. */
  findSentFolder(): Promise<string | undefined>;
  /** Waits for news, at most so long, and asks the server whether it is there. */
  waitForNews(signal: AbortSignal): Promise<void>;
  /** When the server was last heard, by `performance.now()`. */
  heardAt(): number;
  /** Why the connection is over. Never rejects. */
  readonly ended: Promise<MailFailure>;
}
export interface MailHead {
  readonly uid: number;
  /** When it came to the folder. */
  readonly at: number;
  readonly header: Uint8Array;
  readonly structure: MailNode;
}

const MAX_HEADER_BYTES = 64 * 1024;
const MAX_TEXT_BYTES = 512 * 1024;
const APPEND_MS = 60_000;

export async function openFolder(settings: EmailSettings, path: string, signal: AbortSignal): Promise<OpenFolder> {
  signal.throwIfAborted();
  const line = new ImapLine(settings, signal);
  try {
    await line.connect();
    const { uidValidity, uidNext } = await line.call(() => line.client.mailboxOpen(path, { readOnly: true }));
    return createFolder(line, { settings, validity: String(uidValidity), nextUid: uidNext });
  } catch (error) {
    line.close();
    throw error;
  }
}

/** Its server keeps what is sent through it. */
const GMAIL = 'X-GM-EXT-1';

interface FolderFacts extends Pick<OpenFolder, 'validity' | 'nextUid'> {
  readonly settings: EmailSettings;
}

function createFolder(line: ImapLine, { settings, validity, nextUid }: FolderFacts): OpenFolder {
  const { client } = line;
  const call: ImapLine['call'] = (run, ms) => line.call(run, ms);
  const news = watchNews(line, settings);
  const search = async (query: Parameters<ImapFlow['search']>[0]): Promise<readonly number[]> => {
    const found = await call(() => client.search(query, { uid: true }));
    // A search that failed has not found nothing.
    if (!Array.isArray(found)) throw new MailFailure('broken', 'The mail server could not search the folder.');
    return found.toSorted((one, other) => one - other);
  };
  const findSentFolder = async (): Promise<string | undefined> => {
    if (settings.sentFolder !== undefined) return settings.sentFolder;
    const folders = await call(() => client.list());
    return folders.find(({ specialUse }) => specialUse === '\\Sent')?.path;
  };
  return {
    validity,
    nextUid,
    ended: line.ended,
    heardAt: () => line.heardAt(),
    // A range whose beginning is beyond the last mail means the last mail.
    listAfter: async (uid) => (await search({ uid: `${uid + 1}:*` })).filter((each) => each > uid),
    // By days, and by the day where the server is.
    listSince: (time) => search({ since: new Date(time - 86_400_000) }),
    findByMessageId: (id) => search({ header: { 'message-id': `<${id}>` } }),
    readHeads: async (uids) => {
      const query = {
        uid: true,
        internalDate: true,
        bodyStructure: true,
        bodyParts: [{ key: 'header', start: 0, maxLength: MAX_HEADER_BYTES }],
      };
      const found = await call(() => client.fetchAll(uids.join(','), query, { uid: true }));
      return found.map(toHead).toSorted((one, other) => one.uid - other.uid);
    },
    readText: async (uid, { part = 'text' }, header) => {
      const isWhole = part === 'text';
      const bodyParts = [...(isWhole ? [] : [`${part}.mime`]), { key: part, start: 0, maxLength: MAX_TEXT_BYTES }];
      const found = await call(() => client.fetchOne(String(uid), { uid: true, bodyParts }, { uid: true }));
      const parts = found ? found.bodyParts : undefined;
      return { header: isWhole ? header : (parts?.get(`${part}.mime`) ?? Buffer.alloc(0)), body: parts?.get(part) ?? Buffer.alloc(0) };
    },
    openPart: async (uid, part, maxBytes) => (await call(() => client.download(String(uid), part, { uid: true, maxBytes }))).content,
    keepSent: async (mail) => {
      const path = client.capabilities.has(GMAIL) ? undefined : await findSentFolder();
      if (path !== undefined) await call(() => client.append(path, Buffer.from(mail), ['\\Seen']), APPEND_MS);
    },
    findSentFolder,
    waitForNews: (signal) => news.wait(signal),
    [Symbol.asyncDispose]: async () => line.close(),
  };
}

/** What a server leaves out is missing, and the mail is there all the same. */
function toHead({ uid, internalDate, headers, bodyStructure }: FetchMessageObject): MailHead {
  const at = new Date(internalDate ?? Date.now()).getTime();
  return {
    uid,
    at: Number.isFinite(at) ? at : Date.now(),
    header: headers ?? Buffer.alloc(0),
    structure: bodyStructure ?? { type: 'text/plain' },
  };
}
