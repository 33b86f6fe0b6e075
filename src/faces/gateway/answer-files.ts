import { readMediaLines } from '../../base/markdown/media-lines.ts';
import type { Blobs } from '../../contracts/blobs.ts';
import type { DeliveryContent, GatewayStore, NewDelivery } from '../../contracts/gateway-store.ts';
import type { SettledAnswer } from '../../contracts/host.ts';
import type { OutgoingFile, ReadOutgoingFile } from '../../contracts/ports.ts';
import type { PlatformKind } from '../../contracts/platform-adapter.ts';
import type { ReplyAddress } from './contract.ts';
import { fitsCaption } from './cut.ts';
import { detectMediaType } from './media-types.ts';
import { noteUnsent } from './unsent-files.ts';

export interface AnswerFilesOptions {
  readonly answer: Pick<SettledAnswer, 'key' | 'sessionId' | 'turnId'>;
  readonly address: ReplyAddress;
  readonly markdown: string;
  /** Nothing of the words is there yet: they may stand below a file. */
  readonly canCaption: boolean;
  readonly kind: Pick<PlatformKind, 'traits' | 'render'>;
}
export interface AnswerFilesDeps {
  readonly store: Pick<GatewayStore, 'remember'>;
  readonly blobs: Pick<Blobs, 'put'>;
  readonly readFile: ReadOutgoingFile;
}
export interface AnswerFiles {
  /** The words that are left, with a line for each file that does not go out. */
  readonly markdown: string;
  readonly deliveries: readonly NewDelivery[];
}

const MAX_FILES = 10;
/** A terminal far away may hang. */
const READ_MS = 60_000;

/**
 * Takes the files out of an answer. They go to the chat the answer goes to, and their bytes are kept before it is stored. What
 * does not go out is told there, and to the model with the next message.
 */
export async function takeFiles(options: AnswerFilesOptions, { store, blobs, readFile }: AnswerFilesDeps): Promise<AnswerFiles> {
  const { answer, address, kind } = options;
  const { text, paths, asVoice, asDocument } = readMediaLines(options.markdown);
  if (paths.length === 0) return { markdown: text, deliveries: [] };
  const wanted = [...new Set(paths)];
  const media: MediaContent[] = [];
  const unsent: string[] = wanted.slice(MAX_FILES).map((path) => describeUnsent(path, `only ${MAX_FILES} files go out with one answer`));
  for (const path of wanted.slice(0, MAX_FILES)) {
    const result = await readFile(path, { maxBytes: kind.traits.maxUploadBytes, signal: AbortSignal.timeout(READ_MS) });
    if (result.ok) media.push(await toMedia(result.file, { asVoice, asDocument }, blobs));
    else unsent.push(describeUnsent(path, result.why));
  }
  if (unsent.length > 0) await noteUnsent(store, address.routeKey, answer.key, unsent);
  const markdown = [text, ...unsent].filter((part) => part.trim() !== '').join('\n\n');
  const isCaption = options.canCaption && media.length === 1 && markdown !== '' && fitsCaption(markdown, kind);
  return {
    markdown: isCaption ? '' : markdown,
    deliveries: media.map((content, index) => toDelivery(isCaption ? { ...content, caption: markdown } : content, index, options)),
  };
}

type MediaContent = Extract<DeliveryContent, { type: 'media' }>;

async function toMedia(
  { name, bytes }: OutgoingFile,
  { asVoice, asDocument }: { readonly asVoice: boolean; readonly asDocument: boolean },
  blobs: Pick<Blobs, 'put'>,
): Promise<MediaContent> {
  const { kind, mime } = detectMediaType(name, bytes);
  const shown = asDocument ? 'document' : asVoice && kind === 'audio' ? 'voice' : kind;
  return { type: 'media', kind: shown, blob: await blobs.put(bytes), name, mime, bytes: bytes.length };
}

const toDelivery = (content: MediaContent, index: number, { answer, address }: AnswerFilesOptions): NewDelivery => ({
  key: `answer:${answer.key}:file:${index}`,
  target: address.target,
  content,
  ...(content.caption !== undefined && address.messageId !== undefined && { replyTo: address.messageId }),
  ...(address.handle !== undefined && { handle: address.handle }),
  sessionId: answer.sessionId,
  turnId: answer.turnId,
});

const describeUnsent = (path: string, why: string): string => `I could not send \`${path.replaceAll('`', "'")}\`: ${why}.`;
