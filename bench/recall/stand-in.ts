import type { Summariser } from '../../src/contracts/complete.ts';
import { NO_USAGE } from '../../src/contracts/message.ts';

/**
 * Plays the summariser offline: takes lines out of the log by plain rules, writes nothing of its own and knows nothing of
 * the questions. A real model does better at meaning and worse at copying; this one is the same on every machine.
 */
export const standIn: Summariser = {
  model: 'extractive-stand-in',
  window: 200_000,
  complete: async ({ text, maxTokens }) => ({ ok: true, text: notes(text, maxTokens * 4), usage: NO_USAGE, model: 'extractive-stand-in' }),
};

interface Section {
  readonly heading: string;
  readonly share: number;
  /** Lines that belong there. */
  readonly takes: RegExp;
}
const SECTIONS: readonly Section[] = [
  { heading: '## Goal', share: 0.06, takes: /^\[\d+\] USER/ },
  {
    heading: '## Constraints & Preferences',
    share: 0.14,
    takes: /\b(?:never|always|must|do not|don't|only|prefer|instead|please|rule)\b/i,
  },
  {
    heading: '## Progress\n### Done',
    share: 0.22,
    takes: /\b(?:done|fixed|added|changed|moved|passed|renamed|wrote|created|removed|now)\b/i,
  },
  { heading: '### In Progress', share: 0.05, takes: /\b(?:next|still|remaining|continue|in progress)\b/i },
  { heading: '### Blocked', share: 0.05, takes: /\b(?:error|failed|cannot|refused|blocked|exception)\b/i },
  { heading: '## Key Decisions', share: 0.16, takes: /\b(?:because|decided|decision|chose|instead of|reason|rather than|so that)\b/i },
  { heading: '## Relevant Files', share: 0.1, takes: /[\w-]+\/[\w./-]+\.\w+/ },
  { heading: '## Next Steps', share: 0.04, takes: /\b(?:next|then|todo|remaining|afterwards)\b/i },
  { heading: '## Critical Context', share: 0.18, takes: /\d{2,}|=|https?:|[A-Z_]{4,}/ },
];

function notes(text: string, room: number): string {
  const lines = candidates(text);
  const used = new Set<string>();
  return SECTIONS.map(({ heading, share, takes }) => {
    const picked: string[] = [];
    let left = room * share;
    // The newest first: what was said last is most likely to hold.
    for (const line of lines.toReversed()) {
      if (left < line.length || used.has(line) || !takes.test(line)) continue;
      used.add(line);
      picked.unshift(`- ${line}`);
      left -= line.length + 3;
    }
    return `${heading}\n${picked.length === 0 ? 'none' : picked.join('\n')}`;
  }).join('\n');
}

/** Short lines of people and of one-line results; bulk says little by the line. Notes of before come along as they are. */
const candidates = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.replace(/^- /, '').trim())
    .filter((line) => line.length > 20 && line.length < 400 && !line.startsWith('#') && !/^(?:<<<|.*>>>$)/.test(line));
