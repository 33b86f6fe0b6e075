import type { DisplaySetting } from '../contracts/command.ts';
import { ownersAlone, type SettingsSlice } from '../contracts/settings.ts';

/** What commands read: the owner's own, and how a screen shows things as far as a command changes it for one session. */
export const commandSettings = ownersAlone({
  quick_commands: {
    kind: 'table',
    default: {} as Readonly<Record<string, unknown>>,
    describe:
      'Your own slash commands: NAME: {type: exec, command: COMMAND} runs a shell command without the model, NAME: {type: alias, target: LINE} stands for another command or message.',
  },
  'display.busy_input_mode': {
    kind: 'choice',
    default: 'steer',
    choices: ['steer', 'queue', 'interrupt'],
    describe:
      'What a message does while a turn is running: join it at its next step (`steer`), wait for its end (`queue`) or stop it (`interrupt`).',
  },
  'display.show_reasoning': { kind: 'boolean', default: true, describe: 'Show what the model thinks before it answers.' },
  'display.skin': {
    kind: 'string',
    default: 'default',
    describe:
      'The theme of the terminal UI: default, dark, light, terminal, contrast, or the name of a file in the folder `skins` of the home. `default` follows the background of the terminal.',
  },
  'display.status_bar.enabled': { kind: 'boolean', default: true, describe: 'Show the status bar.' },
  'display.timestamps': { kind: 'boolean', default: false, describe: 'Show the time beside each message.' },
  'display.tool_progress': {
    kind: 'choice',
    default: 'all',
    choices: ['off', 'new', 'all', 'verbose'],
    describe:
      'What is shown of tool calls: nothing (`off`), only the first of several alike (`new`), each in a line or two (`all`), or each with its whole result (`verbose`).',
  },
} as const satisfies SettingsSlice & Readonly<Record<DisplaySetting, unknown>>);

/** The values a display setting can have, in the order a command goes through them; none where any name will do. */
export function listDisplayValues(setting: DisplaySetting): readonly string[] {
  const field: SettingsSlice[string] = commandSettings[setting];
  if (field.kind === 'boolean') return ['on', 'off'];
  return field.kind === 'choice' ? field.choices : [];
}

/** What comes after a value: where a command names none, a face goes on to this. The value itself where there is no next. */
export function nextDisplayValue(setting: DisplaySetting, current: string): string {
  const values = listDisplayValues(setting);
  return values[(values.indexOf(current) + 1) % Math.max(1, values.length)] ?? current;
}
