import type { SettingsSlice } from '../../../../contracts/settings.ts';

export const codeExecutionSettings = {
  'code_execution.timeout': {
    kind: 'integer',
    default: 300,
    min: 1,
    max: 2_000_000,
    describe: 'Seconds a script of execute_code may run, its tool calls included.',
    source: 'reference core §1.14 and tools-and-cli §6.8 (300)',
  },
  'code_execution.max_tool_calls': {
    kind: 'integer',
    default: 50,
    min: 0,
    describe: 'Tool calls one script of execute_code may make.',
    source: 'reference core §1.14 and tools-and-cli §6.8 (50)',
  },
} as const satisfies SettingsSlice;
