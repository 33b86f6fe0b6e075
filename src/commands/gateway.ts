import type { ParsedValues } from '../contracts/command.ts';
import { defineCommand } from '../contracts/services/define-command.ts';

const FACTS = { category: 'conversation', where: ['shell'], whileBusy: 'run' } as const;

const RUN_OPTIONS = {
  replace: { kind: 'flag', description: 'stop the gateway of this profile that is running, and take its place' },
} as const;
export type GatewayRunValues = ParsedValues<typeof RUN_OPTIONS>;

/** It serves until it is told to end: the face does the work. */
export const gatewayRun = defineCommand({
  ...FACTS,
  name: 'gateway run',
  summary: 'Run the gateway in this terminal until it is stopped',
  options: RUN_OPTIONS,
  ownerOnly: true,
  examples: ['hermes gateway run', 'hermes gateway run --replace'],
});
