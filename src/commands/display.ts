import { UsageError } from '../base/errors.ts';
import type { AnyCommand, CommandParameter, DisplaySetting } from '../contracts/command.ts';
import { defineCommand } from '../contracts/services/define-command.ts';
import { listDisplayValues } from './settings.ts';

/** What a command of this page changes. */
interface DisplaySwitch {
  readonly name: string;
  readonly slash?: readonly [string, ...string[]];
  readonly setting: DisplaySetting;
  readonly summary: string;
  /** What stands for the value. */
  readonly placeholder: string;
  /** Words for values, where a person would say it otherwise. */
  readonly words?: Readonly<Record<string, string>>;
  readonly example: string;
}

/** Shows things differently in this session, and in all that follow when it is saved. Without a value the face takes the next one. */
function displaySwitch({ name, slash, setting, summary, placeholder, words, example }: DisplaySwitch): AnyCommand {
  const values = Object.keys(words ?? Object.fromEntries(listDisplayValues(setting).map((value) => [value, value])));
  const value: CommandParameter =
    values.length === 0
      ? { kind: 'text', placeholder, description: `the ${placeholder} to use` }
      : { kind: 'choice', choices: values, placeholder, description: values.join(', ') };
  return defineCommand({
    name,
    ...(slash !== undefined && { slash }),
    category: 'display',
    summary,
    arguments: { value },
    options: { save: { kind: 'flag', description: 'also for all sessions to come' } },
    where: ['terminal'],
    whileBusy: 'run',
    needsScreen: true,
    ownerOnly: ({ save }) => (save === true ? `/${name} --save` : undefined),
    examples: [example],
    needs: ['configuration'],
    run: async ({ value: typed, save }, { configuration }, { followUp }) => {
      const chosen = typeof typed === 'string' ? (words?.[typed] ?? typed) : undefined;
      if (save === true && chosen === undefined)
        throw new UsageError(`--save needs what to save, as in ${example.replace(' --save', '')} --save.`);
      followUp?.({ type: 'display', setting, ...(chosen !== undefined && { value: chosen }) });
      if (save !== true || chosen === undefined) return { setting, ...(chosen !== undefined && { value: chosen }) };
      const { file } = await configuration.set(setting, chosen === 'on' ? 'true' : chosen === 'off' ? 'false' : chosen);
      return { setting, value: chosen, file };
    },
    describe: (result) => ('file' in result ? `Saved ${setting} in ${result.file}.` : ''),
  });
}

export const verbose = displaySwitch({
  name: 'verbose',
  setting: 'display.tool_progress',
  summary: 'Show more or less of tool calls',
  placeholder: 'level',
  example: '/verbose all',
});
export const busy = displaySwitch({
  name: 'busy',
  setting: 'display.busy_input_mode',
  summary: 'Choose what a message does while a turn is running',
  placeholder: 'mode',
  example: '/busy queue --save',
});
export const statusBar = displaySwitch({
  name: 'statusbar',
  slash: ['statusbar', 'sb'],
  setting: 'display.status_bar.enabled',
  summary: 'Show or hide the status bar',
  placeholder: 'state',
  example: '/statusbar off',
});
export const timestamps = displaySwitch({
  name: 'timestamps',
  setting: 'display.timestamps',
  summary: 'Show or hide the time beside each message',
  placeholder: 'state',
  example: '/timestamps on',
});
export const reasoning = displaySwitch({
  name: 'reasoning',
  setting: 'display.show_reasoning',
  summary: 'Show or hide what the model thinks before it answers',
  placeholder: 'state',
  words: { show: 'on', hide: 'off', on: 'on', off: 'off' },
  example: '/reasoning hide',
});
export const skin = displaySwitch({
  name: 'skin',
  slash: ['skin', 'theme'],
  setting: 'display.skin',
  summary: 'Change the theme',
  placeholder: 'theme',
  example: '/skin default',
});
