import type { ParsedValues } from '../contracts/command.ts';
import { defineCommand } from '../contracts/services/define-command.ts';

const OPTIONS = {
  host: { kind: 'text', placeholder: 'address', description: 'the address to listen on (default: 127.0.0.1, only this computer)' },
  port: { kind: 'whole_number', placeholder: 'n', description: 'the port to listen on (default: 8642); 0 takes any free one' },
} as const;
export type ServeValues = ParsedValues<typeof OPTIONS>;

/** It serves until it is told to end: the face does the work. */
export const serve = defineCommand({
  name: 'serve',
  category: 'conversation',
  summary: 'Serve the API that programs call, compatible with that of OpenAI',
  options: OPTIONS,
  where: ['shell'],
  whileBusy: 'refuse',
  json: 'the address as one JSON line',
  ownerOnly: true,
  examples: ['hermes serve', 'hermes serve --port 0 --json'],
});
