import type { SettingsSlice } from '../../../../contracts/settings.ts';

export const browserSettings = {
  'browser.executable': {
    kind: 'string',
    default: '',
    describe: 'Path of a Chromium-based browser; empty looks at CHROME_PATH, then for the usual names on PATH.',
    source: 'ours: the reference brings its own Chromium, this uses the one of the system',
  },
  'browser.headed': {
    kind: 'boolean',
    default: false,
    describe: 'Shows the browser in a window; needs a screen.',
    source: 'reference tools-and-cli §6.8',
  },
  'browser.inactivity_timeout': {
    kind: 'integer',
    default: 120,
    min: 5,
    describe: 'Seconds without use after which the browser of a session is closed.',
    source: 'reference tools-and-cli §1.10 and §6.8 (120)',
  },
  'browser.command_timeout': {
    kind: 'integer',
    default: 30,
    min: 1,
    describe: 'Seconds one browser command may take.',
    source: 'reference tools-and-cli §1.10 and §6.8 (30)',
  },
  'browser.snapshot_threshold': {
    kind: 'integer',
    default: 15_000,
    min: 1_000,
    describe: 'Characters of a page shown to the model; the whole is kept on disk.',
    source: 'reference tools-and-cli §0.2 and §6.8 (15,000)',
  },
  'browser.allow_private_urls': {
    kind: 'boolean',
    default: false,
    describe: 'Lets the browser reach private and local addresses, for a site in development. Cloud metadata stays out of reach.',
    source: 'reference tools-and-cli §6.8',
  },
  'browser.restrict_evaluate': {
    kind: 'boolean',
    default: false,
    describe: 'Refuses browser_console expressions, which run as a script of the open page.',
    source: 'reference tools-and-cli §6.8',
  },
} as const satisfies SettingsSlice;
