import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LocalVoice } from './voices.ts';

const TIMEOUT_MS = 120_000;

/** The text goes in by its standard input: nothing in it can be an option. Gives the sound, or why there is none. */
export async function speakLocally(
  voice: LocalVoice,
  program: string,
  named: string,
  text: string,
  signal: AbortSignal,
): Promise<Buffer | string> {
  const folder = await mkdtemp(join(tmpdir(), 'hermes-speech-'));
  const file = join(folder, 'speech.wav');
  try {
    const complaint = await run(program, voice.arguments(named, file), text, signal);
    return complaint ?? (await readFile(file).catch(() => `${voice.program} wrote no file`));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function run(program: string, given: readonly string[], text: string, signal: AbortSignal): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const both = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const child = spawn(program, given, {
    stdio: ['pipe', 'ignore', 'pipe'],
    signal: both,
    killSignal: 'SIGKILL',
    env: { PATH: process.env['PATH'] },
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => void (said.length < 2_000 && (said += chunk.toString('utf8'))));
  child.on('error', (error) => resolve(error.message));
  child.on('close', (code) => resolve(code === 0 ? undefined : `it ended with ${code}: ${said.trim().slice(-300)}`));
  // One that ends early does not read all of it.
  child.stdin.on('error', () => {});
  child.stdin.end(text);
  return promise;
}
