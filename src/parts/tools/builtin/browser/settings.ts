import { ownersAlone, type SettingsSlice } from '../../../../contracts/settings.ts';

export const browserSettings = ownersAlone({
  'browser.executable': {
    kind: 'string',
    default: '',
    describe: 'The path of a Chromium-based browser. Empty: use CHROME_PATH, then search PATH for the usual names.',
  },
  'browser.headed': {
    kind: 'boolean',
    default: false,
    describe: 'Show the browser in a window. Needs a display.',
  },
  'browser.inactivity_timeout': {
    kind: 'integer',
    default: 120,
    min: 5,
    describe: 'Close the browser of a session after this many seconds without use.',
  },
  'browser.command_timeout': {
    kind: 'integer',
    default: 30,
    min: 1,
    describe: 'Timeout of one browser command, in seconds.',
  },
  'browser.snapshot_threshold': {
    kind: 'integer',
    default: 15_000,
    min: 1_000,
    describe: 'How much of a page the model sees, in characters. The whole page is saved to a file.',
  },
  'browser.allow_private_urls': {
    kind: 'boolean',
    default: false,
    describe:
      'Let the browser open private and local addresses, for example to test a site in development. Cloud metadata addresses stay blocked.',
  },
  'browser.restrict_evaluate': {
    kind: 'boolean',
    default: false,
    describe: 'Refuse expressions in browser_console. They run as scripts of the open page.',
  },
} as const satisfies SettingsSlice);
