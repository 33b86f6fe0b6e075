import { join } from 'node:path';
import { toErrorMessage } from '../../../../../base/errors.ts';
import { createTextBlock } from '../../../../../contracts/message.ts';
import { ToolFailure, type Tool, type ToolContext, type ToolOutput } from '../../../../../contracts/tool.ts';
import { locate, toPathResource, type PathResolution } from '../../files/locate.ts';
import { keepFiles } from '../keep.ts';
import type { MediaOptions, PathGuard } from '../options.ts';
import { isJoinable, joinSound, splitText } from './parts.ts';
import { chooseSpeaker, SPEECH_NEEDS, type Speaker } from './speaker.ts';

export interface SpeechInput {
  readonly text: string;
  readonly output_path?: string;
}
export interface SpeechOptions extends MediaOptions, PathResolution {
  readonly guard: PathGuard;
}

/** More parts than this are a book, not something to be said. */
const MAX_PARTS = 10;

export const textToSpeechTool = (options: SpeechOptions): Tool<SpeechInput> => ({
  name: 'text_to_speech',
  description: 'Convert text to speech and save it as an audio file.',
  input: {
    type: 'object',
    properties: { text: { type: 'string' }, output_path: { type: 'string' } },
    required: ['text'],
    additionalProperties: false,
  },
  effects: ({ output_path: path }) =>
    path === undefined ? { kind: 'read', resources: ['text_to_speech'] } : { kind: 'write', resources: [toPathResource(path, options)] },
  // It costs money.
  replay: 'never',
  idempotent: false,
  trust: 'tool',
  timeoutMs: 600_000,
  maxResult: 10_000,
  available: () => chooseSpeaker(options) !== undefined,
  needs: SPEECH_NEEDS,
  run: ({ text: words, output_path: path }, context) => speak(words.trim(), path, context, options),
});

async function speak(words: string, path: string | undefined, context: ToolContext, options: SpeechOptions): Promise<ToolOutput> {
  if (words === '') throw new ToolFailure('No audio was created: the text is empty.');
  const voice = chooseSpeaker(options);
  if (voice === undefined) throw new ToolFailure(`No speech service is set up. Needed: ${SPEECH_NEEDS}`);
  const target = path === undefined ? undefined : await permitted(path, context, options);
  const parts = partsOf(words, voice);
  const sounds: Buffer[] = [];
  for (const [index, part] of parts.entries()) {
    if (parts.length > 1) context.report(`speaking part ${index + 1} of ${parts.length}`);
    const sound = await voice.speak(part, context.signal);
    if (typeof sound === 'string') throw new ToolFailure(`No audio was created. ${voice.label}: ${sound}.`);
    sounds.push(sound);
  }
  const whole = joinSound(sounds, voice.format);
  if (whole === undefined)
    throw new ToolFailure(`No audio was created: the parts of ${voice.label} could not be joined. Use at most ${voice.cap} characters.`);
  return saved(whole, target, voice, parts.length, context, options);
}

function partsOf(words: string, { cap, format, label }: Speaker): readonly string[] {
  const parts = splitText(words, cap);
  if (parts.length === 1 || (isJoinable(format) && parts.length <= MAX_PARTS)) return parts;
  const most = isJoinable(format) ? cap * MAX_PARTS : cap;
  const why = isJoinable(format) ? '' : `; ${format} files cannot be joined`;
  throw new ToolFailure(
    `No audio was created: the text has ${words.length} characters, ${label} takes ${most} at most${why}. Shorten it or split it.`,
  );
}

/** Refused before anything is paid for. */
async function permitted(given: string, { terminal }: ToolContext, { guard }: SpeechOptions): Promise<string> {
  const place = await locate(given, terminal);
  guard(place, 'write');
  return place.path;
}

async function saved(
  whole: Buffer,
  target: string | undefined,
  voice: Speaker,
  parts: number,
  context: ToolContext,
  options: SpeechOptions,
): Promise<ToolOutput> {
  const path = target === undefined ? await inCache(whole, voice, options) : await writeSpeech(whole, target, context);
  const words = `MEDIA:${path}\nSpoken by ${voice.label}, ${voice.format}, ${whole.length} bytes${parts > 1 ? `, from ${parts} parts` : ''}.`;
  return { content: [createTextBlock(words, 'tool')], details: { kind: 'media', items: [{ path }] } };
}

async function writeSpeech(whole: Buffer, path: string, { terminal }: ToolContext): Promise<string> {
  try {
    await terminal.files.write(path, whole);
    return path;
  } catch (error) {
    throw new ToolFailure(`The audio was created but ${path} was not written: ${toErrorMessage(error)}.`);
  }
}

async function inCache(whole: Buffer, { format }: Speaker, { profile, settings, now = Date.now }: SpeechOptions): Promise<string> {
  const keep = keepFiles({
    folder: join(profile, 'cache', 'audio'),
    days: settings['media.cache_days'],
    megabytes: settings['media.cache_mb'],
    now,
  });
  const kept = await keep(whole, format === 'opus' ? 'ogg' : format);
  if (!kept.ok) throw new ToolFailure(`The audio was created but could not be saved: ${kept.reason}.`);
  return kept.path;
}
