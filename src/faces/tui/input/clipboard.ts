import { execFile } from 'node:child_process';
import type { Env } from '../../../base/env.ts';
import { toImage, type ImageFile } from './images.ts';

/** A program that gives the image in the clipboard, and how it writes it. */
interface ClipboardProgram {
  readonly program: string;
  readonly args: readonly string[];
  fits(env: Env, platform: string): boolean;
  decode?(out: Buffer): Buffer;
}
const PROGRAMS: readonly ClipboardProgram[] = [
  { program: 'wl-paste', args: ['--no-newline', '--type', 'image/png'], fits: (env) => (env['WAYLAND_DISPLAY'] ?? '') !== '' },
  {
    program: 'xclip',
    args: ['-selection', 'clipboard', '-target', 'image/png', '-out'],
    fits: (env) => (env['DISPLAY'] ?? '') !== '',
  },
  {
    program: 'osascript',
    args: ['-e', 'get the clipboard as «class PNGf»'],
    fits: (_, platform) => platform === 'darwin',
    decode: (out) => Buffer.from(/«data PNGf([0-9A-F]*)»/.exec(out.toString('utf8'))?.[1] ?? '', 'hex'),
  },
];

/** Runs a program and gives what it prints; nothing when it fails or is not there. */
export type RunProgram = (program: string, args: readonly string[]) => Promise<Buffer | undefined>;
export interface ClipboardDeps {
  readonly env: Env;
  readonly platform: string;
  readonly run: RunProgram;
}

const NO_IMAGE: ImageFile = { ok: false, why: 'there is no image in the clipboard' };
const NO_PROGRAM: ImageFile = {
  ok: false,
  why: 'the clipboard cannot be read here: install wl-clipboard or xclip, or drop the image file into the terminal',
};

/** Reads the image in the clipboard; one at a time, however often it is asked for. */
export function createClipboardImages({ env, platform, run }: ClipboardDeps): () => Promise<ImageFile> | undefined {
  let busy = false;
  const read = async (): Promise<ImageFile> => {
    const usable = PROGRAMS.filter(({ fits }) => fits(env, platform));
    if (usable.length === 0) return NO_PROGRAM;
    for (const { program, args, decode = (out: Buffer) => out } of usable) {
      const out = await run(program, args);
      if (out !== undefined && out.length > 0) return toImage(decode(out));
    }
    return NO_IMAGE;
  };
  return () => {
    if (busy) return undefined;
    busy = true;
    return read().finally(() => (busy = false));
  };
}

const TIMEOUT_MS = 3_000;
const MAX_BYTES = 32 * 1024 * 1024;

export const runProgram: RunProgram = (program, args) =>
  new Promise((resolve) => {
    execFile(program, [...args], { encoding: 'buffer', timeout: TIMEOUT_MS, maxBuffer: MAX_BYTES }, (error, out) =>
      resolve(error === null ? out : undefined),
    );
  });
