import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { toErrorMessage } from '../../../base/errors.ts';
import { toSentencePart } from '../../../base/text.ts';
import type { ImageBlock, TextBlock } from '../../../contracts/message.ts';
import type { InboundMedia, MediaKind } from '../../../contracts/platform-adapter.ts';
import type { Session } from '../../../contracts/session-store.ts';
import type { Transcribe } from '../../../contracts/transcription.ts';
import { findReceived } from '../chats/workspace.ts';
import { detectMediaType } from '../send/media-types.ts';
import { quoteLabel } from './context.ts';
import type { SpeakerContext } from './contract.ts';
import type { DownloadedMedia } from './download-media.ts';
import { keepReceived } from './received-files.ts';

export interface FileReaderDeps {
  /** What commands of a session call the folder with the files it was sent. */
  readonly seenAs: (workspace: string) => string;
  /** A text of others as a model gets it; nothing for bytes that are no text. */
  readonly attachText: (name: string, bytes: Buffer) => Promise<TextBlock | undefined>;
  /** Whether the model of a session sees images; of a new one it is not known yet. */
  readonly seesImages: (session: Session) => boolean;
  /** Absent when nobody has set one up. */
  readonly transcribe?: Transcribe;
}
/** What the model gets of one file: words of ours or the speaker's, and what they are about. */
export interface ReadFilePart {
  readonly words: string;
  readonly blocks: readonly (TextBlock | ImageBlock)[];
}

/** A larger picture is refused by some models; it is told by its path. */
const MAX_IMAGE_BYTES = 3_750_000;
const MAX_TEXT_BYTES = 50_000;
const TRANSCRIBE_MS = 120_000;

/** Keeps a file that was sent, and shows the model what it can see of it. Pictures have so much room left. */
export async function readReceivedFile(
  loaded: DownloadedMedia,
  room: number,
  speaker: SpeakerContext,
  deps: FileReaderDeps,
): Promise<ReadFilePart> {
  const { media } = loaded;
  if ('why' in loaded) return tell(`${describeMedia(media)}; it could not be downloaded: ${toSentencePart(loaded.why)}`);
  const bytes = await readFile(loaded.path);
  const detected = detectMediaType(media.name ?? '', bytes);
  const isPicture = detected.kind === 'image';
  const mime = isPicture ? detected.mime : (media.mime ?? detected.mime);
  const name = media.name ?? `${media.kind}${ENDINGS[mime] ?? ''}`;
  const saved = await keep(name, bytes, speaker, deps);
  const facts = `${describeMedia(media)} (${mime}, ${formatBytes(bytes.length)}), ${saved}`;
  if (media.kind === 'voice') return readVoice({ path: loaded.path, name, mime }, facts, speaker, deps);
  if (isPicture) return readPicture(bytes, mime, facts, room, speaker, deps);
  const block = bytes.length > 0 && bytes.length <= MAX_TEXT_BYTES ? await deps.attachText(name, bytes) : undefined;
  return block === undefined ? tell(facts) : { words: `[${facts}; its text is attached]`, blocks: [block] };
}

async function keep(name: string, bytes: Buffer, { workspace }: SpeakerContext, { seenAs }: FileReaderDeps): Promise<string> {
  try {
    const path = await keepReceived(findReceived(workspace), name, bytes);
    return `saved as ${seenAs(workspace)}/${basename(path)}`;
  } catch (error) {
    return `not saved: ${toErrorMessage(error)}`;
  }
}

function readPicture(
  bytes: Buffer,
  mime: string,
  facts: string,
  room: number,
  { session }: SpeakerContext,
  { seesImages }: FileReaderDeps,
): ReadFilePart {
  if (session !== undefined && !seesImages(session)) return tell(`${facts}; your model does not see images`);
  const data = bytes.toString('base64');
  if (bytes.length > MAX_IMAGE_BYTES || data.length > room) return tell(`${facts}; it is too large to be shown here`);
  return { words: `[${facts}; it is attached]`, blocks: [{ type: 'image', mime, data, trust: 'foreign' }] };
}

async function readVoice(
  file: Parameters<Transcribe>[0],
  facts: string,
  { signal }: SpeakerContext,
  { transcribe }: FileReaderDeps,
): Promise<ReadFilePart> {
  if (transcribe === undefined) return tell(`${facts}; speech-to-text is not set up, so its words are not known`);
  const result = await transcribe(file, AbortSignal.any([signal, AbortSignal.timeout(TRANSCRIBE_MS)]));
  signal.throwIfAborted();
  if (!result.ok) return tell(`${facts}; it could not be transcribed: ${toSentencePart(result.why)}`);
  return { words: `[${facts}; transcript:]\n${result.text}`, blocks: [] };
}

const tell = (facts: string): ReadFilePart => ({ words: `[${facts}]`, blocks: [] });

const ARTICLES: Readonly<Record<MediaKind, string>> = {
  image: 'an image',
  voice: 'a voice message',
  audio: 'an audio file',
  video: 'a video',
  document: 'a file',
  sticker: 'a sticker',
};
/** A name that somebody chose stands in quotes. */
const describeMedia = ({ kind, name }: InboundMedia): string =>
  `Attached: ${ARTICLES[kind]}${name === undefined ? '' : ` ${quoteLabel(name)}`}`;

const ENDINGS: Readonly<Record<string, string>> = {
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'image/gif': '.gif',
  'image/webp': '.webp',
  'audio/ogg': '.ogg',
  'audio/mpeg': '.mp3',
  'audio/mp4': '.m4a',
  'video/mp4': '.mp4',
  'video/webm': '.webm',
  'application/pdf': '.pdf',
};

const formatBytes = (count: number): string =>
  count < 1_000 ? `${count} bytes` : count < 1_000_000 ? `${Math.round(count / 1_000)} KB` : `${(count / 1_000_000).toFixed(1)} MB`;
