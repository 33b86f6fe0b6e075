import type { ParsedValues } from '../contracts/command.ts';
import { defineCommand } from '../contracts/services/define-command.ts';

const OPTIONS = {
  json: { kind: 'flag', description: 'the events as JSON lines' },
  fast: { kind: 'flag', description: 'without the pauses of a live model' },
} as const;
export type DemoValues = ParsedValues<typeof OPTIONS>;

/** A turn is a stream of events, not a value: the face draws it itself. */
export const demo = defineCommand({
  name: 'demo',
  category: 'conversation',
  summary: 'Watch the real agent and real tools work, driven by a scripted model; needs no key and no network',
  options: OPTIONS,
  where: ['shell'],
  whileBusy: 'refuse',
  examples: ['hermes demo --fast'],
});
