import { resolve } from 'node:path';
import { UsageError } from '../../../base/errors.ts';
import type { SessionHandle } from '../../../contracts/host.ts';
import type { UserMessage } from '../../../contracts/message.ts';
import type { Face } from './face.ts';
import { findDroppedImage, readImageFile } from '../input/images.ts';

/** The message with what it refers to (`@file`, `@diff` …) and the images that wait. What cannot be sent keeps it from being sent. */
export async function composeMessage(face: Face, session: SessionHandle, words: string): Promise<UserMessage> {
  const attached = words.includes('@') ? await readReferences(face, session, words) : [];
  return session.message(words, [...attached, ...face.images.take()]);
}

async function readReferences(face: Face, session: SessionHandle, words: string) {
  const [{ expandReferences }, { gitIn }] = await Promise.all([import('../input/attachments.ts'), import('../input/git-text.ts')]);
  const { cwd } = session.session;
  const { backend } = await face.ready;
  const deps = { cwd, window: session.runtime.limits.window, source: backend.attachments(cwd), git: gitIn(cwd) };
  const found = await expandReferences(words, deps, AbortSignal.timeout(MAX_READING_MS));
  if (!found.ok) {
    face.editor.set(words);
    throw new UsageError(found.why);
  }
  for (const warning of found.warnings) face.say(warning, 'warn');
  return found.attached;
}
const MAX_READING_MS = 60_000;

/** Puts an image behind the next message: the file at a path, or what is on the clipboard. */
export async function attachImage(face: Face, path: string | undefined): Promise<void> {
  const cwd = face.opened?.conversation.session?.session.cwd ?? process.cwd();
  const read = path === undefined ? await readClipboard(face) : readImageFile(resolve(cwd, path));
  if (read === undefined) return;
  if (read.ok) face.images.add(path ?? 'clipboard.png', read.image);
  else face.say(`No image was attached: ${read.why}.`, 'warn');
  face.stage.invalidate();
}

/** A paste that is a picture: an empty one stands for what is on the clipboard, a path for a file that was dropped. */
export function takePastedImage(face: Face, text: string): boolean {
  const dropped = text === '' ? undefined : findDroppedImage(text);
  if (text !== '' && dropped === undefined) return false;
  void attachImage(face, dropped);
  return true;
}

async function readClipboard({ deps }: Face) {
  const { createClipboardImages, runProgram } = await import('../input/clipboard.ts');
  return createClipboardImages({ env: deps.env, platform: process.platform, run: runProgram })();
}
