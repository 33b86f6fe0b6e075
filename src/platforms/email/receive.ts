import { toErrorMessage } from '../../base/errors.ts';
import type { CursorNote, EventBatch, InboundMessage } from '../../contracts/platform-adapter.ts';
import { parseSender, type MailAddress } from './address.ts';
import { verifySender } from './authentication.ts';
import { explainAutomatic } from './automatic.ts';
import { decodeNames, decodeText } from './bodies.ts';
import { MAX_TEXT, toInbound, type ReadMail } from './codec.ts';
import { advance, writeCursor, type FolderPosition } from './cursor.ts';
import { MailFailure } from './failures.ts';
import { dropComments, parseHeader, type MailHeader } from './headers.ts';
import type { MailHead, OpenFolder } from './mailbox.ts';
import type { ReplyChains } from './reply-chain.ts';
import type { EmailSettings } from './settings.ts';
import { readParts, type FilePart, type MailNode, type TextForms } from './structure.ts';
import { keyOf, readThread } from './thread.ts';

export interface MailReceiveDeps {
  readonly settings: EmailSettings;
  readonly chains: ReplyChains;
  /** Writes down what is not handed on. */
  readonly record: (words: string) => void;
}
/** A mail as far as it was looked at: with what it tells, or nothing where it is not for us. */
export interface LookedMail {
  readonly uid: number;
  readonly at: number;
  readonly key: string;
  readonly event?: InboundMessage;
}

/** Reads one mail. Only what the server or the network does is thrown. */
export async function readMail(folder: OpenFolder, head: MailHead, deps: MailReceiveDeps): Promise<LookedMail> {
  const header = parseHeader(head.header);
  const looked = { uid: head.uid, at: head.at, key: keyOf(header) };
  const judged = judge(header, deps);
  if ('why' in judged) {
    deps.record(`Left a mail unanswered${judged.from === undefined ? '' : ` from ${judged.from}`}: ${judged.why}.`);
    return looked;
  }
  const { author, isVerified } = judged;
  try {
    const names = await decodeNames(head.header);
    const { texts, files } = readParts(head.structure);
    const words: string[] = [];
    for (const forms of texts) words.push(await readForms(folder, head, forms));
    const text = words.filter((each) => each !== '').join('\n\n');
    const common = { ...looked, validity: folder.validity, author, isVerified, thread: readThread(header), names };
    const mail: ReadMail = { ...common, text, files: [...files, ...(text.length > MAX_TEXT ? texts.flatMap(toTextFile) : [])] };
    return { ...looked, event: toInbound(mail, deps.settings) };
  } catch (error) {
    if (error instanceof MailFailure) throw error;
    // A defect of ours; the next one would meet it again.
    deps.record(`Could not read a mail from ${author.address}: ${toErrorMessage(error)}.`);
    return looked;
  }
}

/** A text that is too long to be read at once, as a file. */
function toTextFile({ plain, html }: TextForms): FilePart[] {
  const node = plain ?? html;
  if (node === undefined) return [];
  const { part, size, type } = node;
  const name = type === 'text/html' ? 'mail.html' : 'mail.txt';
  return [{ kind: 'document', mime: type, name, ...(part !== undefined && { part }), ...(size !== undefined && { size }) }];
}

type Judgement = { readonly author: MailAddress; readonly isVerified: boolean } | { readonly from?: string; readonly why: string };

function judge(header: MailHeader, { settings, chains, record }: MailReceiveDeps): Judgement {
  const author = parseSender(header);
  if (author === undefined) return { why: 'its From field names not exactly one address' };
  const { address } = author;
  const automatic = explainAutomatic({ header, author: address, own: settings.address });
  if (automatic !== undefined) return { from: address, why: automatic };
  if (!chains.received(address)) return { from: address, why: 'it is one of too many quick answers in a row, as a program sends them' };
  const verdict = verifySender(author, header, settings.rules);
  if (!verdict.verified) record(`Nobody vouches that a mail is from ${address}: ${verdict.why}.`);
  return { author, isVerified: verdict.verified };
}

/** Servers that were moved may say of every mail that it came on that day: the topmost trace says when it really did. */
export function arrivedAt({ at, header }: MailHead): number {
  const trace = parseHeader(header).first('received') ?? '';
  const date = trace.length > MAX_TRACE ? undefined : dropComments(trace.slice(trace.lastIndexOf(';') + 1));
  const traced = Date.parse(date ?? '');
  return Number.isFinite(traced) && traced < at - MOVED_MS ? traced : at;
}
const MOVED_MS = 2 * 86_400_000;
/** Servers write a few hundred signs. */
const MAX_TRACE = 4_000;

/** So much shorter than its other form, a short plain text only says that there is one. */
const STUB = { times: 5, most: 200 } as const;

/** The better form of a text: the plain one, unless it is empty or only points to the other. */
async function readForms(folder: OpenFolder, head: MailHead, { plain, html }: TextForms): Promise<string> {
  const read = async (node: MailNode | undefined): Promise<string> =>
    node === undefined ? '' : decodeText(await folder.readText(head.uid, node, head.header));
  const words = await read(plain);
  if (html === undefined || words.length > STUB.most) return words;
  const rich = await read(html);
  return words.length * STUB.times >= rich.length ? words : rich;
}

/** Mails as events, each with how far was received with it. */
export function toBatch(
  mails: readonly LookedMail[],
  before: FolderPosition,
): { readonly batch: EventBatch; readonly after: FolderPosition } {
  let after = before;
  const batch = mails.map((mail): InboundMessage | CursorNote => {
    after = advance(after, mail);
    const cursor = writeCursor(after);
    return mail.event === undefined ? { type: 'cursor', cursor } : { ...mail.event, cursor };
  });
  return { batch, after };
}
