import type { TokenSegment, TokenTrace } from '../../../contracts/token-trace.ts';
import type { GeneratedSegment } from './token-server.ts';

export interface TraceRecorder {
  /** What a server was sent, and what it generated behind that. */
  add(prompt: readonly number[], generated: GeneratedSegment): void;
  /** Tokens of the sequence that was added to last. */
  readonly length: number;
  trace(): TokenTrace;
}

/** Whether a call continues the one before is decided by the tokens alone: what does not begin with all of them is a sequence of its own. */
export function recordTrace(): TraceRecorder {
  const sequences: { readonly segments: TokenSegment[]; readonly tokens: number[] }[] = [];
  return {
    add: (prompt, generated) => {
      const last = sequences.at(-1);
      const isNext = last !== undefined && last.tokens.length <= prompt.length && last.tokens.every((id, at) => id === prompt[at]);
      const sequence = isNext ? last : { segments: [], tokens: [] };
      if (!isNext) sequences.push(sequence);
      const added = prompt.slice(sequence.tokens.length);
      if (added.length > 0) sequence.segments.push({ type: 'prompt', tokens: added });
      sequence.segments.push(generated);
      for (const id of [...added, ...generated.tokens]) sequence.tokens.push(id);
    },
    get length() {
      return sequences.at(-1)?.tokens.length ?? 0;
    },
    trace: () => ({ sequences: sequences.map(({ segments }) => ({ segments: [...segments] })) }),
  };
}
