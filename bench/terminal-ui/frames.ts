import type { Chunk } from './pty.ts';

const [BEGIN, END] = ['\u001b[?2026h', '\u001b[?2026l'] as const;

/** The bytes of each frame that was drawn: what stands between the marks of synchronized output. */
export const frameSizes = (chunks: readonly Chunk[]): number[] =>
  chunks
    .map(({ data }) => data)
    .join('')
    .split(BEGIN)
    .slice(1)
    .map((frame) => Buffer.byteLength(frame.split(END)[0] ?? ''));
