import type { CarriedShellState } from '../../../contracts/terminal.ts';
import { isRoomFile, readRoomFile } from './room-file.ts';
import type { ShellSnapshot } from './wrap.ts';

/** Which of the two snapshot files of a session holds, and who may write the other. */
export interface ShellSnapshots {
  /**
   * For a command that is run to its end. Of commands side by side only one may leave something behind. One that is absent
   * is ours and leaves what the place always has.
   */
  begin(command?: string): { readonly snapshot: ShellSnapshot | undefined; finish(left: boolean): void };
  /** For a command in the background: it takes up what is there and leaves nothing. */
  current(): ShellSnapshot | undefined;
  /** What the next command takes up. */
  carried(): readonly CarriedShellState[];
}

/** `room` is a folder in the place where commands run, `here` the same on this machine; without one nothing is carried over. */
export function openSnapshots(room: string | undefined, given: readonly string[], here?: string): ShellSnapshots {
  let whole: 'a' | 'b' | undefined;
  let writing = false;
  const told = toldLines();
  const current = (): ShellSnapshot | undefined => {
    // What a command put in its place (a pipe, a device) would hold up every later one.
    if (whole !== undefined && here !== undefined && !isRoomFile(`${here}/${whole}`)) whole = undefined;
    return room === undefined ? undefined : whole === undefined ? {} : { from: `${room}/${whole}` };
  };
  return {
    current,
    carried: () =>
      whole === undefined
        ? []
        : [(here === undefined ? undefined : heldIn(`${here}/${whole}`)) ?? { ...told.all(), file: `${room}/${whole}` }],
    begin: (command) => {
      if (writing || room === undefined) return { snapshot: current(), finish: () => {} };
      writing = true;
      const next = whole === 'a' ? 'b' : 'a';
      return {
        snapshot: { ...current(), into: `${room}/${next}`, given },
        finish: (left) => {
          writing = false;
          if (!left) return;
          whole = next;
          if (command !== undefined) told.add(command);
        },
      };
    },
  };
}

/** The file itself, which the next shell will read. */
function heldIn(path: string): CarriedShellState | undefined {
  const script = readRoomFile(path);
  return script === undefined ? undefined : { type: 'held', script };
}

/** Characters of earlier commands that are kept; those before them are forgotten, and that is told. */
const MAX_TOLD = 64 * 1024;

function toldLines() {
  let [lines, forgotten]: [readonly string[], boolean] = [[], false];
  return {
    add: (command: string): void => {
      lines = [...lines, command];
      while (lines.length > 1 && lines.reduce((sum, line) => sum + line.length + 1, 0) > MAX_TOLD) {
        lines = lines.slice(1);
        forgotten = true;
      }
    },
    all: (): CarriedShellState => ({ type: 'told', script: lines.join('\n'), whole: !forgotten }),
  };
}
