import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../../base/clock.ts';
import { sha256 } from '../../../base/sha256.ts';
import { createTextBlock, type TextBlock } from '../../../contracts/message.ts';
import type { ForeignPart, InboundMedia, InboundMessage, InboundTask } from '../../../contracts/platform-adapter.ts';
import type { RunningAccount } from '../accounts/account.ts';
import { takeUnsentNotes } from '../send/unsent-files.ts';
import { composeMessage, type ComposeFacts } from './compose-message.ts';
import type { DispatchDeps, ReadMessage, SpeakerContext } from './contract.ts';
import { downloadMedia } from './download-media.ts';
import { describePart, listMedia, NO_OWN_WORDS } from './foreign-parts.ts';
import { readReceivedFile, type FileReaderDeps, type ReadFilePart } from './read-file.ts';

export interface MessageReaderDeps extends FileReaderDeps {
  /** The profile's folder. */
  readonly root: string;
  readonly facts: Pick<ComposeFacts, 'platforms' | 'machines' | 'homeChannels' | 'redactPii'>;
  readonly limits: { readonly maxFiles: number; readonly maxBytes: number };
  /** Words of others as a model gets them, whatever they are. */
  readonly attachWords: (name: string, words: string) => Promise<TextBlock>;
  /** What skills tell, by their names. */
  readonly readSkills: (names: readonly string[]) => Promise<readonly TextBlock[]>;
  readonly clock: Clock;
}

/** All pictures of a message together, as they are sent. */
const MAX_MESSAGE_IMAGES = 15_000_000;

/**
 * Makes a message of what somebody sent. Its files are loaded first and kept in the session's folder; what could not be read is
 * told in the message, which always comes.
 */
export const createMessageReader =
  (deps: MessageReaderDeps): DispatchDeps['readMessage'] =>
  async (account, event, speaker) => {
    if (event.task !== undefined) return readTask(event.task, deps);
    const files = await readMedia(account, event, speaker, deps);
    const own = readPart(event, files);
    const handedOn = await Promise.all((event.foreign ?? []).map((part) => attachPart(part, files, account, deps)));
    const text = own.words === '' && handedOn.length > 0 ? NO_OWN_WORDS : own.words;
    const isFirst = speaker.session === undefined;
    const facts = { ...deps.facts, kind: account.kind, role: speaker.role, isFirst };
    const { content, overlay } = composeMessage({ ...event, text }, facts);
    const unsent = takeUnsentNotes(speaker.route);
    return {
      content: [...content, ...own.blocks, ...handedOn.flat()],
      overlay: [...overlay, ...unsent.overlay],
      ...(event.quoted !== undefined && { quoted: event.quoted }),
      facts: unsent.facts,
    };
  };

/** Files that were read, by what the service told of them. */
type ReadFiles = ReadonlyMap<InboundMedia, ReadFilePart>;

/** Words of a message or of a part of it, with what is to be said of its files. */
function readPart({ text, media }: Pick<InboundMessage, 'text' | 'media'>, files: ReadFiles): ReadFilePart {
  const read = media.flatMap((file) => files.get(file) ?? []);
  const words = [text, ...read.map((file) => file.words)].filter((each) => each.trim() !== '').join('\n\n');
  return { words, blocks: read.flatMap(({ blocks }) => blocks) };
}

/** Words of somebody else stand between marks of their own, wherever the sender's begin and end. */
async function attachPart(
  part: ForeignPart,
  files: ReadFiles,
  { kind }: RunningAccount,
  { attachWords }: MessageReaderDeps,
): Promise<ReadMessage['content']> {
  const { words, blocks } = readPart(part, files);
  return [await attachWords(describePart(part, kind), words === '' ? '(no words)' : words), ...blocks];
}

/**
 * What a program sent, as a task of the owner's: the words of the settings are the owner's and the same for every event; what
 * the program put into it stands apart, between marks, and is foreign.
 */
async function readTask({ label, instructions, values, skills = [] }: InboundTask, deps: MessageReaderDeps): Promise<ReadMessage> {
  const note = values === '' ? '' : '\n\n(Names in braces stand for values of the event, which are attached.)';
  return {
    content: [
      createTextBlock(`${instructions}${note}`, 'owner'),
      ...(await deps.readSkills(skills)),
      ...(values === '' ? [] : [await deps.attachWords(label, values)]),
    ],
  };
}

async function readMedia(
  { kind, sender }: RunningAccount,
  event: InboundMessage,
  speaker: SpeakerContext,
  deps: MessageReaderDeps,
): Promise<ReadFiles> {
  const parts = new Map<InboundMedia, ReadFilePart>();
  const media = listMedia(event);
  if (media.length === 0) return parts;
  // The same for the same message: what a death left there goes with the next attempt.
  const folder = join(deps.root, 'cache', 'incoming', sha256(`${kind.id}:${event.key}`).slice(0, 24));
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    const maxBytes = Math.min(deps.limits.maxBytes, kind.traits.maxDownloadBytes);
    const { clock, limits } = deps;
    const loaded = await downloadMedia(media, sender, { folder, ...limits, maxBytes, clock, signal: speaker.signal });
    let room = MAX_MESSAGE_IMAGES;
    for (const file of loaded) {
      const part = await readReceivedFile(file, room, speaker, deps);
      room -= part.blocks.reduce((sum, block) => sum + (block.type === 'image' ? block.data.length : 0), 0);
      parts.set(file.media, part);
    }
    return parts;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
