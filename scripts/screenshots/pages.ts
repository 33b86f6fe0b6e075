/**
 * Pictures of the pages that Hermes writes: fills a home with two months of work, has the real program write `insights --html`
 * and `sessions export`, and photographs both in Chromium. Writes docs/images/NAME-page-light.png and -dark.png, or with
 * `--all FOLDER` whole pages at two widths.
 *   node scripts/screenshots/pages.ts [--all FOLDER]
 */
import { execFile } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { chromium, type Browser } from 'playwright-core';
import { findBrowser } from '../../src/parts/tools/builtin/browser/find.ts';
import { startWireServer, type Reply } from '../../src/testing/wire-server/index.ts';
import { fillBusyHome } from './busy-home.ts';
import { NOW, PROJECT, SETUP_KEY } from './scenes.ts';

const FOLDER = 'docs/images';
const call = (name: string, input: object) => ({ calls: [{ name, arguments: input }] });
const usage = (cacheRead: number, cacheWrite: number, output: number) => ({ usage: { input: 60, cacheRead, cacheWrite, output } });

const RULES = '# Weather\n\nTemperatures are numbers in degrees Celsius. Run `node check.js` before you say that something works.\n';
const TALK: readonly Reply[] = [
  {
    thinking: 'The checks show what is wrong; I run them before I read.',
    ...call('terminal', { command: 'node check.js' }),
    ...usage(0, 9_200, 60),
  },
  { ...call('read_file', { path: 'temperature.js' }), ...usage(9_200, 120, 40) },
  {
    ...call('patch', { path: 'temperature.js', old_string: 'celsius * 9 / 5;', new_string: 'celsius * 9 / 5 + 32;' }),
    ...usage(9_320, 180, 80),
  },
  { ...call('terminal', { command: 'node check.js' }), ...usage(9_500, 160, 40) },
  {
    text: 'The checks pass now. `toFahrenheit` forgot to add **32**:\n\n```js\nreturn celsius * 9 / 5 + 32;\n```\n\n| Celsius | before | now |\n|---|---|---|\n| 0 | 0 | 32 |\n| 100 | 180 | 212 |\n\nNothing else in the project uses the wrong value.',
    ...usage(9_660, 140, 90),
  },
  { text: 'Yes. `describe` calls `toFahrenheit`, so its texts were wrong in the same way and are right now.', ...usage(9_800, 150, 60) },
];
const QUESTIONS = ['The checks fail. Find out why and fix it.', 'Does `describe` have the same problem?'];

const runProgram = promisify(execFile);

/** Both pages, made by the program itself. */
async function writePages(root: string): Promise<readonly (readonly [name: string, file: string])[]> {
  const [home, cwd] = [join(root, '.hermes'), join(root, 'weather')];
  for (const folder of [home, cwd]) mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries({ ...PROJECT, 'AGENTS.md': RULES })) writeFileSync(join(cwd, name), text);
  writeFileSync(join(home, 'config.yaml'), 'model: {provider: anthropic, default: claude-sonnet-4-6}\n');
  writeFileSync(join(home, '.env'), `ANTHROPIC_API_KEY=${SETUP_KEY}\n`, { mode: 0o600 });
  using _clock = startClock(join(root, 'clock'));
  await fillBusyHome(join(home, 'state.db'), NOW);
  await using server = await startWireServer({ replies: TALK, key: SETUP_KEY });
  const env = {
    PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    HOME: root,
    TZ: 'UTC',
    LANG: 'C.UTF-8',
    NODE_OPTIONS: `--require=${resolve('scripts/screenshots/frozen-clock.cjs')}`,
    SCREENSHOT_CLOCK: join(root, 'clock'),
    ANTHROPIC_BASE_URL: server.url,
  };
  const hermes = async (...args: readonly string[]): Promise<string> =>
    (await runProgram(resolve('bin/hermes'), [...args], { cwd, env })).stdout;
  for (const [index, words] of QUESTIONS.entries()) await hermes('chat', ...(index === 0 ? [] : ['--continue']), '-q', words);
  const [latest] = JSON.parse(await hermes('sessions', 'list', '--json')) as readonly { readonly id: string }[];
  await hermes('insights', '--days', '60', '--html', 'insights.html');
  await hermes('sessions', 'export', latest?.id ?? '', 'session.html');
  return ['insights', 'session'].map((name) => [name, join(cwd, `${name}.html`)]);
}

/** The time of the program: it goes on from the moment of the pictures. */
function startClock(file: string): Disposable {
  const start = performance.now();
  const tick = (): void => {
    writeFileSync(`${file}.next`, String(NOW + Math.round(performance.now() - start)));
    renameSync(`${file}.next`, file);
  };
  tick();
  const timer = setInterval(tick, 5);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

interface PhotoOptions {
  readonly width: number;
  /** The whole page when left out. */
  readonly height?: number;
  readonly look: 'light' | 'dark';
  readonly path: string;
}
async function photograph(browser: Browser, file: string, { width, height, look, path }: PhotoOptions): Promise<void> {
  const view = await browser.newPage({ viewport: { width, height: height ?? 900 }, colorScheme: look });
  await view.goto(pathToFileURL(file).href);
  await view.screenshot({ path, fullPage: height === undefined });
  await view.close();
  console.log(path);
}

const { values } = parseArgs({ options: { all: { type: 'string' } } });
// A page shows whole paths: so it is always the same one. Fails when somebody else uses it.
const root = '/tmp/ada-pages';
mkdirSync(root);
await using opened = new AsyncDisposableStack();
opened.defer(() => rmSync(root, { recursive: true, force: true }));
const executablePath = findBrowser({ executable: '', variable: (name) => process.env[name] });
if (executablePath === undefined) throw new Error('there is no Chromium on this machine; scripts/system-deps installs it');
const pages = await writePages(root);
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
opened.defer(() => browser.close());
mkdirSync(values.all ?? FOLDER, { recursive: true });
for (const [name, file] of pages)
  for (const look of ['light', 'dark'] as const)
    if (values.all === undefined)
      await photograph(browser, file, { width: 960, height: 900, look, path: `${FOLDER}/${name}-page-${look}.png` });
    else
      for (const width of [400, 1400])
        await photograph(browser, file, { width, look, path: join(values.all, `${name}-${width}-${look}.png`) });
