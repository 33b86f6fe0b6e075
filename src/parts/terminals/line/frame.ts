import { quoteShellWord } from '../../../base/shell.ts';
import { COMMAND_ID_VARIABLE } from '../process/lineage.ts';

/**
 * What stands around a command far away. A bash of ours starts it as the leader of a process group, tells that group,
 * waits, and tells the exit code; a mark at the end of the output says that all of it has been heard, even when something
 * in the background still holds the stream. Pure: text in, text out.
 */
export interface FrameOptions {
  readonly script: string;
  /** Unguessable, so that no output can be taken for it. */
  readonly mark: string;
  /** Whether the command reads what follows the script; otherwise it reads an end. */
  readonly stdin: boolean;
  /** What its processes are found by, wherever they went. */
  readonly id: string;
  /** Start-up files of a login are read first. */
  readonly login?: boolean;
}

/**
 * What our shell has to say about its child goes nowhere: it would stand in the output. The group is told by the child
 * itself, before it becomes the command; told by its parent, it could come after what the command says.
 */
export const frameScript = ({ script, mark, id, stdin, login }: FrameOptions): string =>
  [
    'exec 3>&2 2>/dev/null',
    'set -m',
    `(printf '%s begun %s\\n' ${mark} $BASHPID >&3; export ${COMMAND_ID_VARIABLE}=${id}; exec "\${BASH:-bash}" ${login === true ? '-lc' : '-c'} ${quoteShellWord(script)} 2>&1${stdin ? '' : ' </dev/null'}) &`,
    `wait $!; printf '%s ended %s\\n' ${mark} $? >&3; printf %s ${mark}`,
  ].join('\n');

/** What has been told so far. */
export interface FrameProgress {
  /** The process group of the command. */
  readonly group?: number;
  /** What the command's own wrapper said. */
  readonly text: string;
  readonly exitCode?: number;
  /** What was said before anything began: the complaints of the line. */
  readonly noise: string;
}

export function readFrame(heard: string, mark: string): FrameProgress {
  const [noise = '', ...rest] = heard.split(`${mark} begun `);
  const [, group, text = ''] = /^(\d+)\n([^]*)$/.exec(rest.join('')) ?? [];
  if (group === undefined) return { noise, text: '' };
  const [said = '', end = ''] = text.split(`${mark} ended `);
  const [, code] = /^(\d+)\n/.exec(end) ?? [];
  return { noise, group: Number(group), text: said, ...(code !== undefined && { exitCode: Number(code) }) };
}

/** Lets bytes through until the mark, wherever pieces are cut. */
export interface MarkCutoff {
  push(bytes: Buffer): Buffer;
  /** What was held back because it could have become the mark. */
  rest(): Buffer;
  readonly ended: boolean;
}

export function createMarkCutoff(mark: string): MarkCutoff {
  const sign = Buffer.from(mark);
  let held = Buffer.alloc(0);
  let ended = false;
  return {
    push: (bytes) => {
      if (ended) return Buffer.alloc(0);
      const all = held.length === 0 ? bytes : Buffer.concat([held, bytes]);
      const at = all.indexOf(sign);
      ended = at >= 0;
      const free = ended ? at : all.length - beginningAtEnd(all, sign);
      held = ended ? Buffer.alloc(0) : Buffer.from(all.subarray(free));
      return all.subarray(0, free);
    },
    rest: () => held,
    get ended() {
      return ended;
    },
  };
}

/** How many bytes at the end could be the beginning of the sign. */
function beginningAtEnd(bytes: Buffer, sign: Buffer): number {
  for (let length = Math.min(sign.length - 1, bytes.length); length > 0; length--) {
    if (bytes.subarray(bytes.length - length).equals(sign.subarray(0, length))) return length;
  }
  return 0;
}
