import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import type { RedactingStream } from '../../../contracts/secrets.ts';

/** More than anybody reads; a command that writes for ever must not fill the disk. */
const MAX_BYTES = 64 * 1024 * 1024;

/** The whole of an output in a file, written only from the moment it outgrows what is kept in memory. */
export interface OutputFile {
  add(chunk: Buffer): void;
  /** Words for the gap in the middle; `undefined` when there is no file. */
  where(): string | undefined;
  close(): void;
}

/** With `clean`, only what has gone through it reaches the disk, and bytes that are not UTF-8 become U+FFFD. */
export function openOutputFile(path: string, room: number, clean?: RedactingStream): OutputFile {
  const decoder = new StringDecoder('utf8');
  let held: Buffer[] = [];
  let bytes = 0;
  let file: number | undefined;
  let state: 'waiting' | 'writing' | 'full' | 'failed' = 'waiting';
  const write = (chunk: Buffer) => {
    // Written at once: what waits to be written would grow in memory with a fast command.
    const target = file;
    if (target === undefined) return;
    for (let at = 0; at < chunk.length;) at += writeSync(target, chunk, at);
  };
  const begin = () => {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    file = openSync(path, 'w', 0o600);
    state = 'writing';
    for (const chunk of held) write(chunk);
    held = [];
  };
  const take = (chunk: Buffer) => {
    if (state === 'waiting') held.push(chunk);
    else write(chunk.subarray(0, MAX_BYTES - bytes));
    bytes += chunk.length;
    if (state === 'waiting' && bytes > room) begin();
    if (bytes >= MAX_BYTES) state = 'full';
  };
  const add = (chunk: Buffer) => {
    if (state === 'full' || state === 'failed') return;
    try {
      take(chunk);
    } catch {
      // The command matters more than the copy of its output: a full disk leaves head and tail, as without a file.
      state = 'failed';
      held = [];
    }
  };
  return {
    add: (chunk) => add(clean === undefined ? chunk : Buffer.from(clean.push(decoder.write(chunk)))),
    where: () => {
      if (state === 'waiting' || state === 'failed') return undefined;
      const what = state === 'full' ? `the first ${MAX_BYTES / 1024 / 1024} MB of the output are` : 'the whole output is';
      return `${what} in ${path}, read it with read_file or search_files`;
    },
    close: () => {
      if (clean !== undefined) add(Buffer.from(clean.push(decoder.end()) + clean.end()));
      if (file !== undefined) closeSync(file);
      file = undefined;
      if (state === 'waiting') held = [];
    },
  };
}
