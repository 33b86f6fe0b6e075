import type { RedactingStream } from '../../../contracts/secrets.ts';

/** What a stream leans on: the next thing to replace, and where something may have begun that is not through yet. */
export interface Redaction {
  /** The first replacement from `from` on; `undefined` when there is none. */
  next(text: string, from: number): Replacement | undefined;
  pending(text: string, from: number): number;
}
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export function redactWith({ next }: Pick<Redaction, 'next'>, text: string): string {
  let out = '';
  let done = 0;
  for (let hit = next(text, 0); hit !== undefined; hit = next(text, done)) {
    out += text.slice(done, hit.start) + hit.text;
    done = hit.end;
  }
  return done === 0 ? text : out + text.slice(done);
}

/** Gives exactly what redacting the whole would give, and holds back no more than could still become a secret. */
export function createRedactingStream(redaction: Redaction): RedactingStream {
  let held = '';
  return {
    push: (piece) => {
      held += piece;
      const { out, rest } = settled(redaction, held);
      held = rest;
      return out;
    },
    end: () => {
      const rest = redactWith(redaction, held);
      held = '';
      return rest;
    },
  };
}

function settled({ next, pending }: Redaction, text: string): { readonly out: string; readonly rest: string } {
  let out = '';
  let done = 0;
  let open = pending(text, 0);
  for (let hit = next(text, 0); hit !== undefined && hit.start < open; hit = next(text, done)) {
    out += text.slice(done, hit.start) + hit.text;
    done = hit.end;
    // What was replaced cannot be the beginning of anything else.
    if (done > open) open = pending(text, done);
  }
  return { out: out + text.slice(done, open), rest: text.slice(open) };
}
