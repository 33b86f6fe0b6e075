import { setKittyProtocolActive } from '@earendil-works/pi-tui/dist/keys.js';
import { readAnswer } from './answers.ts';
import type { KeyProtocol } from './modes.ts';

/** What the terminal has told about itself so far. */
export interface LearnedTerminal {
  readonly protocol: KeyProtocol;
  /** What it calls itself; nothing when it does not say. */
  readonly name: string | undefined;
  readonly background: Promise<'light' | 'dark' | undefined>;
  /** Nothing more will be answered. */
  readonly answered: Promise<void>;
  take(sequence: string): void;
  /** It is never asked, or has answered the last question. */
  end(): void;
}

/** `onProtocol` hears of the keyboard protocol as soon as it is known. */
export function createLearnedTerminal(onProtocol: (protocol: KeyProtocol) => void): LearnedTerminal {
  const background = Promise.withResolvers<'light' | 'dark' | undefined>();
  const answered = Promise.withResolvers<void>();
  let protocol: KeyProtocol = 'unknown';
  let name: string | undefined;

  function useProtocol(found: KeyProtocol): void {
    if (found === protocol) return;
    protocol = found;
    setKittyProtocolActive(found === 'kitty');
    onProtocol(found);
  }
  function end(): void {
    background.resolve(undefined);
    answered.resolve();
    if (protocol === 'unknown') useProtocol('other-keys');
  }
  return {
    get protocol() {
      return protocol;
    },
    get name() {
      return name;
    },
    background: background.promise,
    answered: answered.promise,
    take: (sequence) => {
      const answer = readAnswer(sequence);
      if (answer?.type === 'background') background.resolve(answer.look);
      if (answer?.type === 'name') ({ name } = answer);
      if (answer?.type === 'keyboard') useProtocol(answer.kitty ? 'kitty' : 'other-keys');
      if (answer?.type === 'end') end();
    },
    end,
  };
}
