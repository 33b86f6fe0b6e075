import { ownersAlone, type SettingsSlice } from '../../../../contracts/settings.ts';

export const codeExecutionSettings = ownersAlone({
  'code_execution.timeout': {
    kind: 'integer',
    default: 300,
    min: 1,
    max: 2_000_000,
    describe: 'Timeout of an execute_code script with its tool calls, in seconds.',
  },
  'code_execution.max_tool_calls': {
    kind: 'integer',
    default: 50,
    min: 0,
    describe: 'Maximum number of tool calls in one execute_code script.',
  },
} as const satisfies SettingsSlice);
