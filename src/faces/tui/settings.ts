import type { commandSettings } from '../../commands/settings.ts';
import { ownersAlone, type SettingsSlice, type SliceValues } from '../../contracts/settings.ts';

/** Beside those that commands change for a session (`commands/settings.ts`). */
export const screenSettings = ownersAlone({
  'display.screen': {
    kind: 'choice',
    default: 'main',
    choices: ['main', 'alternate'],
    describe:
      "Where the terminal UI draws. `main` prints finished text into the terminal's own scrollback. `alternate` uses the whole screen and scrolls by itself.",
  },
  'display.inline_diffs': { kind: 'boolean', default: true, describe: 'Show what a tool changed in files as a diff.' },
  'display.status_bar.fields': {
    kind: 'list',
    default: [],
    describe:
      'Fields of the status bar, in order: model, context, cache, cost, elapsed, compressions, background, queue, title, profile, yolo, and fields of extensions. Empty means a choice by the width of the terminal.',
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
    describe: 'What to show when you resume a session: `full` shows it as it was on the screen, `minimal` shows one line.',
  },
  'display.resume_exchanges': {
    kind: 'integer',
    default: 50,
    min: 0,
    max: 1000,
    describe: 'At most this many exchanges are shown when you resume a session, the last ones.',
  },
  'display.keys': {
    kind: 'table',
    default: {},
    describe:
      'Other keys for actions of the terminal UI, such as `{ queue: alt+q, external_editor: [ctrl+g] }`. `/help keys` lists the actions.',
  },
} as const satisfies SettingsSlice);
export type DisplaySettings = SliceValues<typeof commandSettings & typeof screenSettings>;
