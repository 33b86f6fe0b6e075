import { isUtf8 } from 'node:buffer';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { toErrorMessage } from '../../base/errors.ts';
import { sha256 } from '../../base/sha256.ts';
import { toSentencePart } from '../../base/text.ts';
import type { ImageBlock, TextBlock } from '../../contracts/message.ts';
import type { InboundMedia, InboundMessage, MediaKind } from '../../contracts/platform-adapter.ts';
import type { Transcribe } from '../../contracts/transcription.ts';
import { composeMessage, type ComposeFacts } from '../../faces/gateway/compose-message.ts';
import { quoteLabel } from '../../faces/gateway/context.ts';
import type { RunningAccount } from '../../faces/gateway/contract.ts';
import type { DispatchDeps, SpeakerContext } from '../../faces/gateway/dispatch.ts';
import { downloadMedia, type DownloadedMedia } from '../../faces/gateway/download-media.ts';
import { detectMediaType } from '../../faces/gateway/media-types.ts';
import { keepReceived } from '../../faces/gateway/received-files.ts';
import { takeUnsentNotes } from '../../faces/gateway/unsent-files.ts';
import { loadModels } from '../../parts/providers/models.ts';
import { attachText } from '../../parts/tools/attached-text.ts';
import { detectBinaryKind, SNIFFED } from '../../parts/tools/builtin/files/sniff.ts';
import { detectPictureKind } from '../../parts/tools/builtin/media/kinds.ts';

export interface MessageReaderDeps {
  /** The profile's folder. */
  readonly root: string;
  readonly facts: Pick<ComposeFacts, 'connected' | 'homeChannels' | 'redactPii'>;
  readonly limits: { readonly maxFiles: number; readonly maxBytes: number };
  /** What commands of a session call a folder of this machine; nothing where they do not see it. */
  readonly seenAs: (folder: string) => string | undefined;
  /** Absent when nobody has set one up. */
  readonly transcribe?: Transcribe;
  readonly clock: Clock;
}

/** A larger picture is refused by some models; it is told by its path. */
const MAX_IMAGE_BYTES = 3_750_000;
/** All pictures of a message together, as they are sent. */
const MAX_MESSAGE_IMAGES = 15_000_000;
const MAX_TEXT_BYTES = 50_000;
const TRANSCRIBE_MS = 120_000;

/**
 * Makes a message of what somebody sent. Its files are loaded first and kept in the session's folder; what could not be read is
 * told in the message, which always comes.
 */
export const createMessageReader =
  (deps: MessageReaderDeps): DispatchDeps['readMessage'] =>
  async (account, event, speaker) => {
    const parts = event.media.length === 0 ? [] : await readMedia(account, event, speaker, deps);
    const text = [event.text, ...parts.map(({ words }) => words)].filter((words) => words.trim() !== '').join('\n\n');
    const facts = { ...deps.facts, kind: account.kind, role: speaker.role, now: deps.clock.now() };
    const { content, overlay } = composeMessage({ ...event, text }, facts);
    const unsent = takeUnsentNotes(speaker.route);
    return {
      content: [...content, ...parts.flatMap(({ blocks }) => blocks)],
      overlay: [...overlay, ...unsent.overlay],
      facts: unsent.facts,
    };
  };

/** What the model gets of one file: words of ours or the speaker's, and what they are about. */
interface ReadFilePart {
  readonly words: string;
  readonly blocks: readonly (TextBlock | ImageBlock)[];
}

async function readMedia(
  { kind, sender }: RunningAccount,
  event: InboundMessage,
  speaker: SpeakerContext,
  deps: MessageReaderDeps,
): Promise<readonly ReadFilePart[]> {
  // The same for the same message: what a death left there goes with the next attempt.
  const folder = join(deps.root, 'cache', 'incoming', sha256(`${kind.id}:${event.key}`).slice(0, 24));
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    const maxBytes = Math.min(deps.limits.maxBytes, kind.traits.maxDownloadBytes);
    const { clock, limits } = deps;
    const loaded = await downloadMedia(event.media, sender, { folder, ...limits, maxBytes, clock, signal: speaker.signal });
    const parts: ReadFilePart[] = [];
    let room = MAX_MESSAGE_IMAGES;
    for (const file of loaded) {
      const part = await readPart(file, room, speaker, deps);
      room -= part.blocks.reduce((sum, block) => sum + (block.type === 'image' ? block.data.length : 0), 0);
      parts.push(part);
    }
    return parts;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function readPart(loaded: DownloadedMedia, room: number, speaker: SpeakerContext, deps: MessageReaderDeps): Promise<ReadFilePart> {
  const { media } = loaded;
  if ('why' in loaded) return tell(`${describeMedia(media)}; it could not be downloaded: ${toSentencePart(loaded.why)}`);
  const bytes = await readFile(loaded.path);
  const picture = detectPictureKind(bytes);
  const { mime } = picture ?? { mime: media.mime ?? detectMediaType(media.name ?? '', bytes).mime };
  const name = media.name ?? `${media.kind}${ENDINGS[mime] ?? ''}`;
  const saved = await keep(name, bytes, speaker, deps);
  const facts = `${describeMedia(media)} (${mime}, ${formatBytes(bytes.length)}), ${saved}`;
  if (media.kind === 'voice') return readVoice({ path: loaded.path, name, mime }, facts, speaker, deps);
  if (picture !== undefined) return readPicture(bytes, picture.mime, facts, room, speaker);
  if (!isText(bytes)) return tell(facts);
  const block = await attachText({ name, text: bytes.toString('utf8') }, '', { keep: async (result) => result });
  return { words: `[${facts}; its text is attached]`, blocks: [block] };
}

async function keep(name: string, bytes: Buffer, { workspace }: SpeakerContext, { seenAs }: MessageReaderDeps): Promise<string> {
  try {
    const path = await keepReceived(workspace, name, bytes);
    const seen = seenAs(workspace);
    return seen === undefined
      ? `saved as ${path} on the computer of the gateway, which your terminal does not see`
      : `saved as ${join(seen, relative(workspace, path))}`;
  } catch (error) {
    return `not saved: ${toErrorMessage(error)}`;
  }
}

function readPicture(bytes: Buffer, mime: string, facts: string, room: number, { session }: SpeakerContext): ReadFilePart {
  const isSeen = session === undefined || loadModels().card(session.provider, session.model)?.images !== false;
  if (!isSeen) return tell(`${facts}; your model does not see images`);
  const data = bytes.toString('base64');
  if (bytes.length > MAX_IMAGE_BYTES || data.length > room) return tell(`${facts}; it is too large to be shown here`);
  return { words: `[${facts}; it is attached]`, blocks: [{ type: 'image', mime, data, trust: 'foreign' }] };
}

async function readVoice(
  file: Parameters<Transcribe>[0],
  facts: string,
  { signal }: SpeakerContext,
  { transcribe }: MessageReaderDeps,
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

const isText = (bytes: Buffer): boolean =>
  bytes.length > 0 && bytes.length <= MAX_TEXT_BYTES && isUtf8(bytes) && detectBinaryKind(bytes.subarray(0, SNIFFED)) === undefined;

const formatBytes = (count: number): string =>
  count < 1_000 ? `${count} bytes` : count < 1_000_000 ? `${Math.round(count / 1_000)} KB` : `${(count / 1_000_000).toFixed(1)} MB`;
