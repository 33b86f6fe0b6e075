import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { startWireServer } from '../../src/testing/wire-server/index.ts';
import { refreshBundle } from '../../scripts/suite/bundle.ts';
import { tempHome } from './hermes.ts';
import { noPty } from './on-terminal.ts';
import { command, stage, userWords } from './stage.ts';
import { openTerminalUi, PAUSE_MS } from './terminal-ui.ts';

const [ENTER, F2, F3, F4, CTRL_D] = ['\r', '\u001bOQ', '\u001bOR', '\u001bOS', '\u0004'] as const;
const env = { OPENAI_API_KEY: 'sk-not-a-key-000000' };

/** A project of somebody else's with the package in it as `npm pack` makes it; nothing of this repository is near. */
function install(): string {
  refreshBundle();
  const project = tempHome();
  const modules = join(project, 'node_modules');
  const installed = join(modules, 'hermes-ts');
  mkdirSync(installed, { recursive: true });
  const packed = execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', project], { encoding: 'utf8' });
  execFileSync('tar', ['-xzf', join(project, packed.trim()), '-C', installed, '--strip-components=1']);
  // What npm would fetch beside it.
  for (const name of ['@vscode', '@lydell']) symlinkSync(resolve('node_modules', name), join(modules, name));
  copyFileSync('test/fixtures/wrapper/my-cli.mjs', join(project, 'my-cli.mjs'));
  return project;
}

test('a program in a folder of its own puts its panel, keys, layout and commands around the terminal UI', { skip: noPty }, async () => {
  const wrapper = join(install(), 'my-cli.mjs');
  await using server = await startWireServer({ answer: () => ({ text: 'Found it.' }) });
  const { home, cwd } = stage({
    model: { base_url: `${server.url}/v1`, default: 'test-model', context_length: 128_000 },
    display: { status_bar: { fields: ['model', 'mood'] }, skin: 'mine' },
  });
  mkdirSync(join(home, 'skins'));
  // The owner's theme has another color for the extension's style.
  writeFileSync(join(home, 'skins', 'mine.yaml'), 'styles:\n  panel.title: "#0a0b0c"\n');
  await using ui = await openTerminalUi({ home, cwd, env, program: [wrapper], columns: 100, rows: 40 });
  const start = await ui.until(/Ctrl\+D exits/);
  assert.match(start, /The panel knows 14 slots\./, 'it may speak while it is taken up');
  assert.match(start, /The extension thief is switched off: its layout leaves out approval, which must stay on the screen\./);
  await ui.until(/The extension broken is switched off: no lines today/);
  const told = await ui.until(/The key F2 belongs to the extension panel; the extension clash does not get it\./);
  assert.match(told, /The key Ctrl\+C belongs to the action interrupt; the extension clash does not get it\./);
  await ui.until(/test-model │ mood: fine\n(?:.*\n)*─{20}/);

  ui.type(F2);
  const panel = await ui.until(/┌ mine\nMy notes\n {2}buy milk\n└/);
  assert.ok(panel.lastIndexOf('mood: fine') < panel.lastIndexOf('┌ mine'), 'the status bar is at the top');
  assert.match(ui.log, /38;2;10;11;12mMy notes/, 'the theme wins over the color of the extension');
  // oxlint-disable-next-line no-control-regex -- what an extension writes is text
  assert.doesNotMatch(ui.log, /\u001b\[2J/);
  ui.type(F2);
  while (/My notes/.test((await ui.text()).slice(-2_000))) await pause(20);

  ui.type(F3);
  await ui.until(/❯ search for 6/);
  ui.type(F4);
  await ui.until(/❯ search for 6\n[\s\S]*Found it\./);
  assert.deepEqual(userWords(server.requests.find(({ method }) => method === 'POST')), ['search for 6']);
  // The answer is on the screen before its turn has ended.
  for (const isIdle = /Entries: [1-9]\d*, busy: false, model: test-model, writers: id runtime busy entries\n/; ;) {
    const shown = (await ui.text()).split('Entries:').length;
    ui.type(`/count${ENTER}`);
    if (isIdle.test(await ui.until(new RegExp(`(?:Entries:[\\s\\S]*){${shown}}writers:.*\n`)))) break;
  }
  ui.type(`/version${ENTER}`);
  await ui.until(/❯ \/version\nhermes \d/);
  ui.type(`/skin${ENTER}`);
  await ui.until(/contrast\n +mine/);
  ui.type('\u0003');

  // A question is above everything: keys of an extension do not reach it, and it is answered as ever.
  server.script(command('sudo true'), { text: 'Then not.' });
  ui.type(`restart it${ENTER}`);
  await ui.until(/sudo true[\s\S]*› No\s+Yes, this once/);
  await pause(PAUSE_MS);
  ui.type(`${F4}${F2}`);
  ui.type('\r');
  await ui.until(/Then not\./);
  ui.type(CTRL_D);
  assert.equal(await ui.ended, 0);

  const listed = spawnSync(process.execPath, [wrapper, 'sessions', 'list', '--json'], {
    cwd,
    env: { PATH: process.env['PATH'], HOME: home, HERMES_HOME: home },
    encoding: 'utf8',
  });
  assert.equal(JSON.parse(listed.stdout).length, 1, listed.stderr);
});
