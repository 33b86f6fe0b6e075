import type { Slice } from '../../contracts/settings.ts';

export const toolSettings = {
  toolsets: {
    kind: 'list',
    default: ['hermes-cli'],
    describe: 'Toolsets a session starts with; -t on the command line wins.',
    source: 'reference tools-and-cli §6.8',
  },
  'tool_output.max_result_chars': {
    kind: 'integer',
    default: 100_000,
    min: 1_000,
    describe: 'Characters of one tool result kept inline; longer ones go to disk with a preview.',
    source: 'reference core §1.11 (100,000)',
  },
  'tool_output.max_turn_chars': {
    kind: 'integer',
    default: 200_000,
    min: 2_000,
    describe: 'Characters all results of one step may take inline together; the largest go to disk first.',
    source: 'reference core §1.11 (200,000)',
  },
  'tool_output.preview_chars': {
    kind: 'integer',
    default: 1_500,
    min: 100,
    describe: 'Characters of a spilled result shown inline.',
    source: 'reference core §1.11 (1,500)',
  },
  'tool_output.keep_hours': {
    kind: 'integer',
    default: 168,
    min: 1,
    describe: 'Hours a spilled result stays on disk.',
    source: 'ours: sessions are resumed days later; the reference (core §1.11) prunes after 24 h',
  },
  file_read_max_chars: {
    kind: 'integer',
    default: 100_000,
    min: 1_000,
    describe: 'Characters one read_file call may give; a larger range is refused with a smaller limit to try.',
    source: 'reference tools-and-cli §1.9 and §6.8 (100,000)',
  },
} as const satisfies Slice;
