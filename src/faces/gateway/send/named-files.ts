import { readMediaLines } from '../../../base/markdown/media-lines.ts';
import type { Blobs } from '../../../contracts/blobs.ts';
import type { DeliveryContent, NewDelivery } from '../../../contracts/gateway-store.ts';
import type { OutgoingFile, ReadOutgoingFile } from '../../../contracts/outgoing-file.ts';
import type { PlatformKind } from '../../../contracts/platform-adapter.ts';
import { fitsCaption } from './cut.ts';
import { detectMediaType } from './media-types.ts';

/** Words that may name files, and where they go. */
export interface NamedFilesOptions extends Pick<NewDelivery, 'key' | 'target' | 'replyTo' | 'handle' | 'sessionId' | 'turnId'> {
  readonly markdown: string;
  /** Nothing of the words is there yet: they may stand below a file. */
  readonly canCaption: boolean;
  readonly kind: Pick<PlatformKind, 'traits' | 'render'>;
  /** Every file points to what it answers, and not only one that has the words below it. */
  readonly allPoint?: boolean;
}
export interface NamedFilesDeps {
  readonly blobs: Pick<Blobs, 'put'>;
  readonly readFile: ReadOutgoingFile;
}
export interface NamedFiles {
  /** The words that are left, with a line for each file that does not go out. */
  readonly markdown: string;
  readonly deliveries: readonly NewDelivery[];
  /** Those lines. */
  readonly unsent: readonly string[];
}

const MAX_FILES = 10;
/** A terminal far away may hang. */
const READ_MS = 60_000;

/** Takes the files out of words that are to be sent. They go where the words go; their bytes are kept at once. */
export async function takeFiles(options: NamedFilesOptions, { blobs, readFile }: NamedFilesDeps): Promise<NamedFiles> {
  const { kind } = options;
  const { text, paths, asVoice, asDocument } = readMediaLines(options.markdown);
  if (paths.length === 0) return { markdown: text, deliveries: [], unsent: [] };
  const wanted = [...new Set(paths)];
  const media: MediaContent[] = [];
  const unsent: string[] = wanted.slice(MAX_FILES).map((path) => describeUnsent(path, `only ${MAX_FILES} files go out at once`));
  for (const path of wanted.slice(0, MAX_FILES)) {
    const result = await readFile(path, { maxBytes: kind.traits.maxUploadBytes, signal: AbortSignal.timeout(READ_MS) });
    if (result.ok) media.push(await toMedia(result.file, { asVoice, asDocument }, blobs));
    else unsent.push(describeUnsent(path, result.why));
  }
  const markdown = [text, ...unsent].filter((part) => part.trim() !== '').join('\n\n');
  const isCaption = options.canCaption && media.length === 1 && markdown !== '' && fitsCaption(markdown, kind);
  return {
    markdown: isCaption ? '' : markdown,
    deliveries: media.map((content, index) => toDelivery(isCaption ? { ...content, caption: markdown } : content, index, options)),
    unsent,
  };
}

type MediaContent = Extract<DeliveryContent, { type: 'media' }>;

async function toMedia(
  { name, bytes }: OutgoingFile,
  { asVoice, asDocument }: { readonly asVoice: boolean; readonly asDocument: boolean },
  blobs: Pick<Blobs, 'put'>,
): Promise<MediaContent> {
  const { kind, mime } = detectMediaType(name, bytes);
  const shown = asDocument ? 'document' : kind === 'audio' && (asVoice || mime === 'audio/ogg') ? 'voice' : kind;
  return { type: 'media', kind: shown, blob: await blobs.put(bytes), name, mime, bytes: bytes.length };
}

const toDelivery = (content: MediaContent, index: number, options: NamedFilesOptions): NewDelivery => {
  const { key, target, replyTo, handle, sessionId, turnId, allPoint = false } = options;
  return {
    key: `${key}:file:${index}`,
    target,
    content,
    ...(replyTo !== undefined && (allPoint || content.caption !== undefined) && { replyTo }),
    ...(handle !== undefined && { handle }),
    ...(sessionId !== undefined && { sessionId }),
    ...(turnId !== undefined && { turnId }),
  };
};

const describeUnsent = (path: string, why: string): string => `I could not send \`${path.replaceAll('`', "'")}\`: ${why}.`;
