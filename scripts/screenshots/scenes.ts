/** What is photographed: a project, what the scripted model says, and what a person types. */
import type { Reply } from '../../src/testing/wire-server/index.ts';
import type { Screen } from './screen.ts';

export interface Scene {
  readonly name: string;
  readonly title: string;
  readonly rows: number;
  /** Nothing is set up; whether the provider can be reached. */
  readonly fresh?: 'server' | 'no server';
  readonly args?: readonly string[];
  readonly replies?: readonly Reply[];
  /** Sessions that are there already: what was asked, and when. */
  readonly earlier?: readonly { readonly asked: string; readonly at: number }[];
  play(screen: Screen, setTime: (at: number) => void): Promise<void>;
}

export const PROJECT: Readonly<Record<string, string>> = {
  'temperature.js': `export function toFahrenheit(celsius) {
  return celsius * 9 / 5;
}

export const describe = (celsius) =>
  \`\${celsius} °C is \${toFahrenheit(celsius)} °F\`;
`,
  'check.js': `import { toFahrenheit } from './temperature.js';

const wrong = [[0, 32], [100, 212], [-40, -40]].filter(([celsius, expected]) => toFahrenheit(celsius) !== expected);
console.log(wrong.length === 0 ? '3 checks passed' : \`\${wrong.length} of 3 checks failed\`);
process.exitCode = wrong.length === 0 ? 0 : 1;
`,
  'package.json': '{ "name": "weather", "type": "module" }\n',
};

/** The moment of every picture. */
export const NOW = Date.UTC(2026, 10, 16, 9, 30);
const MINUTE_MS = 60_000;

export const SETUP_KEY = 'sk-screenshot-0000000000';
const [ENTER, CTRL_L] = ['\r', '\u000c'] as const;
const usage = (input: number, cacheRead: number, cacheWrite: number, output: number) => ({
  usage: { input, cacheRead, cacheWrite, output },
});
const call = (name: string, input: object) => ({ calls: [{ name, arguments: input }] });

const FIX: readonly Reply[] = [
  { text: 'I run the checks first.', ...call('terminal', { command: 'node check.js' }), ...usage(40, 0, 9_200, 60) },
  { ...call('read_file', { path: 'temperature.js' }), ...usage(60, 9_200, 120, 40) },
  {
    ...call('patch', { path: 'temperature.js', old_string: 'celsius * 9 / 5;', new_string: 'celsius * 9 / 5 + 32;' }),
    ...usage(60, 9_320, 180, 80),
  },
  { ...call('terminal', { command: 'node check.js' }), ...usage(60, 9_500, 160, 40) },
  {
    text: 'The checks pass now. `toFahrenheit` forgot to add **32**:\n\n```js\nreturn celsius * 9 / 5 + 32;\n```\n\nNothing else in the project uses the wrong value.',
    // Time enough to load the colors of the language.
    paceMs: 20,
    chunk: 8,
    ...usage(60, 9_660, 140, 90),
  },
];

export const SCENES: readonly Scene[] = [
  {
    name: 'start',
    title: 'The terminal UI after the start',
    rows: 24,
    play: async (screen) => {
      await screen.until(/Ctrl\+D exits/);
      screen.type('Why do the checks in @check.js fail?');
      await screen.until(/@check\.js fail\?/);
    },
  },
  {
    name: 'turn',
    title: 'A turn with tool calls, a diff and an answer',
    rows: 44,
    replies: FIX,
    play: async (screen, setTime) => {
      await screen.until(/Ctrl\+D exits/);
      screen.type(`The checks fail. Find out why and fix it.${ENTER}`);
      await screen.until(/uses the wrong value\.[\s\S]*cache/);
      setTime(NOW + 24_000);
      screen.type(CTRL_L);
      await screen.until(/24 s/);
    },
  },
  {
    name: 'approval',
    title: 'A command that needs your approval',
    rows: 34,
    replies: [{ ...call('terminal', { command: 'rm -rf build && sudo systemctl restart weather' }), ...usage(40, 0, 9_200, 60) }],
    play: async (screen) => {
      await screen.until(/Ctrl\+D exits/);
      screen.type(`Clear the old build and restart the service.${ENTER}`);
      await screen.until(/Yes, this once/);
    },
  },
  {
    name: 'sessions',
    title: 'Choosing a session to resume',
    rows: 24,
    replies: Array.from({ length: 4 }, () => ({ text: 'Done.' })),
    earlier: [
      { asked: 'Rename the module weather to climate', at: NOW - 3 * 24 * 60 * MINUTE_MS },
      { asked: 'Why is the build slow?', at: NOW - 26 * 60 * MINUTE_MS },
      { asked: 'Write the release notes', at: NOW - 180 * MINUTE_MS },
      { asked: 'Explain how the checks work', at: NOW - 12 * MINUTE_MS },
    ],
    play: async (screen) => {
      await screen.until(/Ctrl\+D exits/);
      screen.type(`/resume${ENTER}`);
      await screen.until(/Resume a session[\s\S]*release notes/);
    },
  },
  {
    name: 'first-run',
    title: 'The first run: Hermes explains itself and offers the setup',
    rows: 30,
    fresh: 'no server',
    play: async (screen) => {
      await screen.until(/Set up now\?/);
      screen.type(ENTER);
      await screen.until(/Which provider\?/);
    },
  },
  {
    name: 'setup',
    title: 'The setup has checked the key and chosen the rest',
    rows: 30,
    fresh: 'server',
    args: ['setup'],
    replies: [{ text: 'Hello.' }],
    play: async (screen) => {
      await screen.until(/Which provider\?/);
      screen.type(`anthropic${ENTER}`);
      await screen.until(/not shown while you type/);
      screen.type(`${SETUP_KEY}${ENTER}`);
      await screen.until(/Next:/);
    },
  },
];
