import type { Slice } from '../../contracts/settings.ts';

/** Seconds; a timer that is set for longer than 2³¹ ms goes off at once. */
const LONGEST_WAIT = 2_000_000;

export const terminalSettings = {
  'terminal.backend': {
    kind: 'choice',
    default: 'local',
    choices: ['local'],
    describe: 'Where commands run.',
    source: 'reference tools-and-cli §6.8',
  },
  'terminal.cwd': {
    kind: 'string',
    default: '.',
    describe: 'Folder a session starts in; --cwd wins.',
    source: 'reference tools-and-cli §6.8',
  },
  'terminal.timeout': {
    kind: 'integer',
    default: 180,
    min: 1,
    max: LONGEST_WAIT,
    describe: 'Seconds a foreground command may run when the call names no time-out.',
    source: 'reference tools-and-cli §1.8 (180 s)',
  },
  'terminal.max_foreground_timeout': {
    kind: 'integer',
    default: 600,
    min: 1,
    max: LONGEST_WAIT,
    describe: 'Longest time-out a foreground command may ask for; longer work belongs in the background.',
    source: 'reference tools-and-cli §1.8 (600 s)',
  },
  'terminal.env_passthrough': {
    kind: 'list',
    default: [],
    describe: 'Names of variables handed to commands although they look like secrets.',
    source: 'reference tools-and-cli §2.7',
  },
  'tool_output.max_bytes': {
    kind: 'integer',
    default: 50_000,
    min: 1_000,
    describe: 'Characters of a command’s output kept, half from its head and half from its tail.',
    source: 'reference core §1.11 and tools-and-cli §6.8 (50,000)',
  },
} as const satisfies Slice;
