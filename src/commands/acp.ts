import type { ParsedValues } from '../contracts/command.ts';
import { defineCommand } from '../contracts/services/define-command.ts';

const OPTIONS = {
  setup: { kind: 'flag', description: 'run the setup instead; for editors that offer to log in' },
} as const;
export type AcpValues = ParsedValues<typeof OPTIONS>;

/** A connection is a stream of messages, not a value: the face serves it itself. */
export const acp = defineCommand({
  name: 'acp',
  category: 'conversation',
  summary: 'Serve a code editor that speaks the Agent Client Protocol, on standard input and output',
  options: OPTIONS,
  where: ['shell'],
  whileBusy: 'refuse',
  examples: ['hermes acp    started by the editor, see docs/acp.md'],
});
