import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { resolveHome } from '../../src/base/home.ts';
import { openHomeStore } from '../../src/parts/store/home-store.ts';
import { hermes, MAIN, tempHome } from './hermes.ts';

const home = tempHome();
const bin = join(home, 'bin');
mkdirSync(bin);
writeFileSync(join(bin, 'hermes'), `#!/bin/sh\nexec ${process.execPath} ${resolve(MAIN)} "$@"\n`, { mode: 0o755 });
for (const name of ['work', 'play']) mkdirSync(join(home, 'profiles', name), { recursive: true });
const stored = await (async () => {
  await using store = await openHomeStore(resolveHome({ HERMES_HOME: home }));
  const session = await store.create({ source: 'cli', cwd: '/', model: 'm', provider: 'p', title: "it's $(touch hacked)" });
  const claim = await store.claim(session.id);
  await store.commit(claim, { append: [{ type: 'note', origin: 'system', text: 'x' }] });
  await store.release(claim);
  return session;
})();
writeFileSync(join(home, 'notes.txt'), '');

const env = { PATH: `${bin}:${process.env['PATH'] ?? ''}`, HOME: home, HERMES_HOME: home, TERM: 'xterm', LANG: 'C.UTF-8' };
const missing = (program: string): string | undefined =>
  spawnSync('sh', ['-c', `command -v ${program}`]).status === 0 ? undefined : `${program} is not installed`;
const skipWithout = (...programs: readonly string[]): string | undefined => {
  const why = programs.flatMap((program) => missing(program) ?? [])[0];
  if (why !== undefined) console.log(`completion: skipped, ${why}`);
  return why;
};

/** Runs a shell in tmux as a person would: types, presses Tab, and looks at the screen. */
async function inTerminal(
  shell: readonly string[],
  work: (type: (keys: string, seen: RegExp) => Promise<void>) => Promise<void>,
): Promise<void> {
  const socket = join(home, `tmux-${shell[0]}`);
  const tmux = (...args: readonly string[]): string => execFileSync('tmux', ['-S', socket, ...args], { env, encoding: 'utf8' });
  tmux('-f', '/dev/null', 'new-session', '-d', '-x', '120', '-y', '40', '-c', home, ...shell);
  try {
    await work(async (keys, seen) => {
      if (keys !== '') tmux('send-keys', '-l', '--', keys);
      for (let tries = 0; ; tries++) {
        const screen = tmux('capture-pane', '-p');
        if (seen.test(screen)) return;
        if (tries === 150) assert.fail(`${JSON.stringify(keys)} did not lead to ${String(seen)}:\n${screen.trimEnd()}`);
        await pause(100);
      }
    });
  } finally {
    tmux('kill-server');
  }
}

/** What every shell does alike; each line is finished by Enter in a command that only prints it. */
async function completesLikeAPerson(type: (keys: string, seen: RegExp) => Promise<void>): Promise<void> {
  const clear = '\u0015';
  await type('hermes sess\t', /hermes sessions\b/);
  await type('li\t', /hermes sessions list\b/);
  await type(`--so\t`, /hermes sessions list --source/);
  await type(`${clear}hermes -p wo\t`, /hermes -p work/);
  await type(`${clear}hermes sessions show ${stored.id.slice(0, 4)}\t`, new RegExp(`hermes sessions show ${stored.id}`));
  await type(`${clear}hermes chat --api-mode ant\t`, /--api-mode anthropic_messages/);
  await type(`${clear}hermes sessions backup not\t`, /hermes sessions backup notes\.txt/);
  await type(`${clear}hermes config get display.time\t`, /hermes config get display\.timestamps/);
}

test('bash completes a line as it is typed', { skip: skipWithout('bash', 'tmux') }, async () => {
  writeFileSync(join(home, 'bashrc'), 'PS1="$ "\neval "$(hermes completion bash)"\necho ready\n');
  await inTerminal(['bash', '--rcfile', join(home, 'bashrc'), '-i'], async (type) => {
    await type('', /ready/);
    await completesLikeAPerson(type);
    await type('\u0015hermes chat --api-mode=resp\t', /--api-mode=responses/);
  });
});

test('zsh completes a line as it is typed', { skip: skipWithout('zsh', 'tmux') }, async () => {
  writeFileSync(join(home, '.zshrc'), 'PS1="$ "\nautoload -Uz compinit && compinit -u\neval "$(hermes completion zsh)"\necho ready\n');
  await inTerminal(['zsh', '-i'], async (type) => {
    await type('', /ready/);
    await completesLikeAPerson(type);
    await type('\u0015hermes skills \t', /view +-- Show a skill as the model sees it/);
  });
});

test('fish completes a line as it is typed', { skip: skipWithout('fish', 'tmux') }, async () => {
  mkdirSync(join(home, '.config', 'fish', 'completions'), { recursive: true });
  const { out } = await hermes(['completion', 'fish'], { home });
  writeFileSync(join(home, '.config', 'fish', 'completions', 'hermes.fish'), out);
  writeFileSync(join(home, '.config', 'fish', 'config.fish'), 'set -g fish_greeting ready\nfunction fish_prompt; echo "\\$ "; end\n');
  await inTerminal(['fish', '-i'], async (type) => {
    await type('', /ready/);
    await completesLikeAPerson(type);
  });
  const asked = execFileSync('fish', ['-c', 'complete -C "hermes profile "'], { env, encoding: 'utf8' });
  assert.match(asked, /^create\tCreate a profile: a home of its own/m);
});

test('what is offered fits where it stands, and a title that would run something is quoted', { skip: skipWithout('bash') }, async () => {
  const offered = async (line: string, word = line.split(' ').at(-1) ?? '') =>
    (await hermes(['__complete', 'bash', line, word], { home })).out.split('\n').slice(0, -1);
  assert.deepEqual(await offered('hermes -p '), ['default', 'play', 'work']);
  assert.deepEqual(await offered('hermes -p work profile s'), ['show']);
  assert.deepEqual(await offered('hermes sessions show it'), [`'it'\\''s $(touch hacked)'`]);
  assert.deepEqual(await offered('hermes -p play sessions show 2'), [], 'another profile has other sessions');
  assert.deepEqual(await offered('hermes chat --api-mode=ch', 'ch'), ['chat_completions']);
  assert.deepEqual(await offered('hermes chat --api-mode=', '='), ['chat_completions', 'anthropic_messages', 'responses']);
  assert.ok(!(await offered('hermes chat --')).includes('--yolo'), 'what takes a safeguard away is not offered');
  assert.deepEqual(await offered('hermes help sess'), ['sessions']);
  assert.deepEqual(await offered('hermes chat -q "what is '), []);
  assert.deepEqual(await offered('hermes nonsense '), []);
  assert.deepEqual((await hermes(['__complete', 'tcsh', 'hermes ', ''], { home })).out, '');
});

test('a shell that is not known is refused, with those that are', async () => {
  const { code, err } = await hermes(['completion', 'tcsh'], { home });
  assert.deepEqual([code, /Allowed choices are bash, zsh, fish\./.test(err)], [2, true], err);
});
