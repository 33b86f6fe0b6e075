import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../../base/clock.ts';
import { sha256 } from '../../../base/sha256.ts';
import { createTextBlock, type TextBlock } from '../../../contracts/message.ts';
import type { InboundMessage, InboundTask } from '../../../contracts/platform-adapter.ts';
import type { RunningAccount } from '../accounts/account.ts';
import { takeUnsentNotes } from '../send/unsent-files.ts';
import { composeMessage, type ComposeFacts } from './compose-message.ts';
import type { DispatchDeps, ReadMessage, SpeakerContext } from './contract.ts';
import { downloadMedia } from './download-media.ts';
import { readReceivedFile, type FileReaderDeps, type ReadFilePart } from './read-file.ts';

export interface MessageReaderDeps extends FileReaderDeps {
  /** The profile's folder. */
  readonly root: string;
  readonly facts: Pick<ComposeFacts, 'platforms' | 'machines' | 'homeChannels' | 'redactPii'>;
  readonly limits: { readonly maxFiles: number; readonly maxBytes: number };
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
    const parts = event.media.length === 0 ? [] : await readMedia(account, event, speaker, deps);
    const text = [event.text, ...parts.map(({ words }) => words)].filter((words) => words.trim() !== '').join('\n\n');
    const isFirst = speaker.session === undefined;
    const facts = { ...deps.facts, kind: account.kind, role: speaker.role, isFirst };
    const { content, overlay } = composeMessage({ ...event, text }, facts);
    const unsent = takeUnsentNotes(speaker.route);
    return {
      content: [...content, ...parts.flatMap(({ blocks }) => blocks)],
      overlay: [...overlay, ...unsent.overlay],
      ...(event.quoted !== undefined && { quoted: event.quoted }),
      facts: unsent.facts,
    };
  };

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
      ...(values === '' ? [] : [await deps.attachText(label, Buffer.from(values))].flatMap((block) => block ?? [])),
    ],
  };
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
      const part = await readReceivedFile(file, room, speaker, deps);
      room -= part.blocks.reduce((sum, block) => sum + (block.type === 'image' ? block.data.length : 0), 0);
      parts.push(part);
    }
    return parts;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
