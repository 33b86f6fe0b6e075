import { spawn } from 'node:child_process';
import { openAsBlob } from 'node:fs';
import type { Env } from '../../base/env.ts';
import { toErrorMessage } from '../../base/errors.ts';
import { parseJson, readStringAt } from '../../base/json.ts';
import { takeStart } from '../../base/text.ts';
import type { SliceValues } from '../../contracts/settings.ts';
import type { SpokenFile, Transcribe, TranscriptResult } from '../../contracts/transcription.ts';
import type { sttSettings } from './settings.ts';

/** More words than anybody speaks in one message. */
const MAX_TEXT = 100_000;

/** The way the owner has set up; `undefined` when there is none. */
export function openTranscription(settings: SliceValues<typeof sttSettings>, env: Env): Transcribe | undefined {
  const { 'stt.enabled': isEnabled, 'stt.command': command, 'stt.endpoint': endpoint, 'stt.model': model } = settings;
  if (!isEnabled) return undefined;
  if (command.trim() !== '') return guarded((file, signal) => runCommand(command, file, env, signal));
  if (endpoint.trim() !== '') return guarded((file, signal) => askServer({ endpoint, model, key: env['STT_API_KEY'] ?? '' }, file, signal));
  return undefined;
}

const guarded =
  (work: (file: SpokenFile, signal: AbortSignal) => Promise<string>): Transcribe =>
  async (file, signal): Promise<TranscriptResult> => {
    try {
      const text = takeStart((await work(file, signal)).trim(), MAX_TEXT);
      return text === '' ? { ok: false, why: 'no words were heard in it' } : { ok: true, text };
    } catch (error) {
      return { ok: false, why: signal.aborted ? 'it took too long' : toErrorMessage(error) };
    }
  };

/** In a shell, as the owner wrote it; the path is an argument and never part of the line. */
async function runCommand(command: string, { path }: SpokenFile, env: Env, signal: AbortSignal): Promise<string> {
  const line = command.includes('{file}') ? command.replaceAll(/"?\{file\}"?/g, '"$1"') : `${command} "$1"`;
  const given = { PATH: env['PATH'] ?? process.env['PATH'], HOME: env['HOME'] ?? process.env['HOME'], LANG: 'C.UTF-8' };
  const child = spawn('/bin/sh', ['-c', line, 'sh', path], { env: given, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const end = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It has ended already.
    }
  };
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  const [out, err] = [collectText(child.stdout), collectText(child.stderr)];
  try {
    const code = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
    signal.throwIfAborted();
    if (code !== 0) throw new Error(`the command stt.command failed (${code ?? 'ended'}): ${lastLine(err())}`);
    return out();
  } finally {
    signal.removeEventListener('abort', end);
  }
}

/** What a stream has said so far, up to a bound; the rest is heard and forgotten. */
function collectText(stream: NodeJS.ReadableStream): () => string {
  const kept: Buffer[] = [];
  let length = 0;
  stream.on('data', (piece: Buffer) => {
    if (length < 4 * MAX_TEXT) kept.push(piece);
    length += piece.length;
  });
  return () => Buffer.concat(kept).toString('utf8');
}
const lastLine = (text: string): string => takeStart(text.trim().split('\n').at(-1) ?? '', 200);

interface SttServer {
  readonly endpoint: string;
  readonly model: string;
  readonly key: string;
}
async function askServer({ endpoint, model, key }: SttServer, { path, name, mime }: SpokenFile, signal: AbortSignal): Promise<string> {
  const form = new FormData();
  form.set('file', await openAsBlob(path, { type: mime }), name);
  form.set('model', model);
  form.set('response_format', 'json');
  const response = await fetch(`${endpoint.replace(/\/+$/, '')}/audio/transcriptions`, {
    method: 'POST',
    body: form,
    redirect: 'error',
    signal,
    ...(key !== '' && { headers: { authorization: `Bearer ${key}` } }),
  });
  const body = await response.text();
  if (!response.ok) throw new Error(`the server at stt.endpoint answered ${response.status}`);
  const text = readStringAt(parseJson(body), 'text');
  if (text === undefined) throw new Error('the server at stt.endpoint sent no transcript');
  return text;
}
