import type { Snapshot } from './wrap.ts';

/** Which of the two snapshot files of a session holds, and who may write the other. */
export interface Snapshots {
  /** For a command that is run to its end. Of commands side by side only one may leave something behind. */
  begin(): { readonly snapshot: Snapshot | undefined; finish(left: boolean): void };
  /** For a command in the background: it takes up what is there and leaves nothing. */
  current(): Snapshot | undefined;
}

/** `room` is a folder in the place where commands run; without one nothing is carried over. */
export function snapshots(room: string | undefined, given: readonly string[]): Snapshots {
  let whole: 'a' | 'b' | undefined;
  let writing = false;
  const current = (): Snapshot | undefined => (room === undefined ? undefined : whole === undefined ? {} : { from: `${room}/${whole}` });
  return {
    current,
    begin: () => {
      if (writing || room === undefined) return { snapshot: current(), finish: () => {} };
      writing = true;
      const next = whole === 'a' ? 'b' : 'a';
      return {
        snapshot: { ...current(), into: `${room}/${next}`, given },
        finish: (left) => {
          writing = false;
          if (left) whole = next;
        },
      };
    },
  };
}
