import type { ParsedValues } from '../contracts/command.ts';
import { defineCommand } from '../contracts/services/define-command.ts';

const OPTIONS = {
  json: { kind: 'flag', description: 'print events as JSON lines' },
  fast: { kind: 'flag', description: 'skip the pauses of a live model' },
} as const;
export type DemoValues = ParsedValues<typeof OPTIONS>;

/** A turn is a stream of events, not a value: the face draws it itself. */
export const demo = defineCommand({
  name: 'demo',
  category: 'conversation',
  summary: 'Watch the agent fix a small project, driven by a scripted model; needs no key and no network',
  options: OPTIONS,
  where: ['shell'],
  whileBusy: 'refuse',
  examples: ['hermes demo --fast'],
});
