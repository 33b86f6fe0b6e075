import type { SettingsSlice, SliceValues } from '../../contracts/settings.ts';

export const displaySettings = {
  'display.screen': {
    kind: 'choice',
    default: 'main',
    choices: ['main', 'alternate'],
    describe:
      "Where the terminal UI draws. `main` prints finished text into the terminal's own scrollback. `alternate` uses the whole screen and scrolls by itself.",
  },
  'display.skin': {
    kind: 'string',
    default: 'default',
    describe:
      'The theme of the terminal UI: default, contrast, dusk, paper, or the name of a file in the folder skins. `default` follows the background of the terminal.',
  },
  'display.busy_input_mode': {
    kind: 'choice',
    default: 'steer',
    choices: ['steer', 'queue', 'interrupt'],
    describe:
      'What happens to a message you send while a turn runs: `steer` adds it to the turn at its next step, `queue` answers it afterwards, `interrupt` stops the turn first.',
  },
  'display.show_reasoning': {
    kind: 'boolean',
    default: false,
    describe: 'Show what the model thinks in full. Otherwise one line says how much there is.',
  },
  'display.tool_progress': {
    kind: 'choice',
    default: 'all',
    choices: ['off', 'new', 'all', 'verbose'],
    describe:
      'How much of tool calls to show: `off` hides them, `new` shows one line for each, `all` adds the end of their output, `verbose` shows all of it.',
  },
  'display.inline_diffs': { kind: 'boolean', default: true, describe: 'Show what a tool changed in files as a diff.' },
  'display.timestamps': { kind: 'boolean', default: false, describe: 'Show the time beside each message.' },
  'display.status_bar.fields': {
    kind: 'list',
    default: [],
    describe:
      'Fields of the status bar, in order: model, context, cache, cost, elapsed, background, queue, title, profile, yolo, and fields of extensions. Empty means a choice by the width of the terminal.',
  },
  'display.bell_on_complete': {
    kind: 'boolean',
    default: false,
    describe: 'Ring the bell and send a notification when a turn ends or asks a question.',
  },
  'display.resume_display': {
    kind: 'choice',
    default: 'full',
    choices: ['full', 'minimal'],
    describe: 'What to show when you resume a session: `full` shows the last exchanges, `minimal` shows one line.',
  },
  'display.resume_exchanges': {
    kind: 'integer',
    default: 10,
    min: 0,
    max: 100,
    describe: 'How many exchanges to show when you resume a session.',
  },
  'display.keys': {
    kind: 'table',
    default: {},
    describe: 'Other keys for actions of the terminal UI, such as `{ queue: alt+q, editor: [ctrl+g] }`. `/help keys` lists the actions.',
  },
} as const satisfies SettingsSlice;
export type DisplaySettings = SliceValues<typeof displaySettings>;
