/**
 * Pictures of the real screen: runs bin/hermes on a terminal against a scripted model, in a home that is thrown away, and
 * writes docs/images/NAME-dark.svg and NAME-light.svg. `--check` writes nothing and fails when a picture would change.
 *   node scripts/screenshot.ts [--check] [NAME …]
 */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { startWireServer, type WireServer } from '../src/testing/wire-server/index.ts';
import { NOW, PROJECT, SCENES, SETUP_KEY, type Scene } from './screenshots/scenes.ts';
import { openScreen, type Picture } from './screenshots/screen.ts';
import { toSvg, type Palette } from './screenshots/svg.ts';

const FOLDER = 'docs/images';
const COLUMNS = 88;

type Look = 'dark' | 'light';
const PALETTES: Readonly<Record<Look, Palette>> = {
  dark: {
    text: '#d8dee9',
    background: '#1a1d23',
    frame: '#3b4252',
    title: '#8b919c',
    named:
      '#3b4252 #ec7a7a #8cc98f #e2c08d #82aaf0 #c397d8 #8fd0dd #d8dee9 #6b7280 #f29c9c #a8d8ab #ecd2a6 #a3c1f5 #d4b3e3 #aee0e9 #ffffff'.split(
        ' ',
      ),
  },
  light: {
    text: '#24292f',
    background: '#fbfbfa',
    frame: '#d0d7de',
    title: '#626975',
    named:
      '#24292f #b3312f #2a7a3b #8f5f00 #1f5fae #83359c #0f6b78 #6e7781 #57606a #cf222e #1a7f37 #bf8700 #218bff #a475f9 #3192aa #8c959f'.split(
        ' ',
      ),
  },
};

const runProgram = promisify(execFile);

async function photograph(scene: Scene, look: Look): Promise<Picture> {
  // Questions show whole paths: so it is always the same one. Fails when somebody else uses it.
  const root = '/tmp/ada';
  mkdirSync(root);
  try {
    await using server = await startWireServer({
      replies: scene.replies ?? [],
      models: ['claude-haiku-4-5', 'claude-opus-4-6', 'claude-sonnet-4-6'],
      key: SETUP_KEY,
    });
    const { env, cwd } = layOut(root, scene, server);
    const setTime = (at: number): void => writeFileSync(env.SCREENSHOT_CLOCK, String(at));
    for (const { asked, at } of scene.earlier ?? []) {
      setTime(at);
      await runProgram(resolve('bin/hermes'), ['chat', '-q', asked], { cwd, env });
    }
    setTime(NOW);
    const [red, green, blue] = PALETTES[look].background.match(/[\da-f]{2}/g) ?? [];
    await using screen = openScreen({
      args: scene.args ?? [],
      cwd,
      env,
      columns: COLUMNS,
      rows: scene.rows,
      background: `rgb:${red}/${green}/${blue}`,
    });
    await scene.play(screen, setTime);
    return await screen.take();
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** A home with a model and a project in it; nothing of the machine is seen. */
function layOut(root: string, { fresh }: Scene, { url }: WireServer) {
  const [home, cwd] = [join(root, '.hermes'), join(root, 'weather')];
  for (const folder of [home, cwd]) mkdirSync(folder);
  for (const [name, text] of Object.entries(PROJECT)) writeFileSync(join(cwd, name), text);
  if (fresh === undefined) {
    writeFileSync(join(home, 'config.yaml'), 'model: {provider: anthropic, default: claude-sonnet-4-6}\n');
    writeFileSync(join(home, '.env'), `ANTHROPIC_API_KEY=${SETUP_KEY}\n`, { mode: 0o600 });
  }
  const path = `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`;
  const env = {
    PATH: path,
    HOME: root,
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    LANG: 'C.UTF-8',
    NODE_OPTIONS: `--require=${resolve('scripts/screenshots/frozen-clock.cjs')}`,
    SCREENSHOT_CLOCK: join(root, 'clock'),
    ...(fresh !== 'no server' && { ANTHROPIC_BASE_URL: url }),
  };
  return { cwd, env };
}

const isCheck = process.argv.includes('--check');
const names = process.argv.slice(2).filter((word) => !word.startsWith('--'));
mkdirSync(FOLDER, { recursive: true });
for (const scene of SCENES.filter(({ name }) => names.length === 0 || names.includes(name)))
  for (const look of ['dark', 'light'] as const) {
    const path = `${FOLDER}/${scene.name}-${look}.svg`;
    const svg = toSvg(await photograph(scene, look), PALETTES[look], scene.title);
    if (!isCheck) writeFileSync(path, svg);
    else if (readFileSync(path, 'utf8') !== svg) {
      console.error(`${path} is out of date: run npm run screenshots`);
      process.exitCode = 1;
    }
    console.log(path);
  }
