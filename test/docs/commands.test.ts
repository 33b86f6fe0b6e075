import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { formatCount } from '../../src/base/screen/figures.ts';
import { startWireServer } from '../../src/testing/wire-server/index.ts';
import { sized } from '../size.ts';
import { MAIN, tempHome } from '../walks/hermes.ts';
import { unpackOtherHome } from '../walks/other-homes.ts';
import { COMMAND_PAGES, readCommands, type PageCommand } from './pages.ts';

/** What a command must not need. */
const KEY = 'sk-of-the-docs-0123456789';
const AT_A_TIME = 4;
const hasJq = isInstalled('jq');

test('every command on a page runs as it stands there, or the page says why it is not run', { concurrency: AT_A_TIME }, async (context) => {
  await Promise.all(
    COMMAND_PAGES.map(async (page) => {
      const commands = readCommands(page).map(withoutJq).map(notTwice).map(notAgain);
      const left = commands.filter(({ notRun }) => notRun !== undefined);
      for (const { at, text, notRun } of left) context.diagnostic(`not run: ${at} ${text} (${notRun})`);
      const chosen = commands.filter(({ notRun }) => notRun === undefined);
      if (chosen.length > 0) await context.test(`${page}: ${formatCount(chosen.length, 'command')}`, () => runPage(chosen));
    }),
  );
});

/** The README in Chinese has the commands of the other, as `test/docs/` makes sure. */
const notTwice = (command: PageCommand): PageCommand =>
  sized(command.at.startsWith('README.zh-CN.md'), false) ? { ...command, notRun: 'run with README.md' } : command;
/** A command that changes nothing says the same on every page. */
const READS_ONLY = /^hermes (?:doctor|tools list|sessions list|env list|skills list|memory list|config (?:path|check|schema)|--version)$/;
const seen = new Set<string>();
const notAgain = (command: PageCommand): PageCommand => {
  const isAgain = sized(READS_ONLY.test(command.text) && seen.has(command.text), false);
  seen.add(command.text);
  return isAgain && command.notRun === undefined ? { ...command, notRun: 'run with another page' } : command;
};
const withoutJq = (command: PageCommand): PageCommand =>
  !hasJq && /\| jq /.test(command.text) ? { ...command, notRun: 'jq is not installed here' } : command;

function isInstalled(program: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Types the commands of a page into one shell, as somebody does who reads it from top to bottom. */
async function runPage(commands: readonly PageCommand[]): Promise<void> {
  await using server = await startWireServer({ answer: () => ({ text: 'Done.' }), models: ['test-model'] });
  const { env, cwd } = layOut(server.url);
  if (commands.some(({ text }) => text.startsWith('hermes migrate'))) addOtherHomes(env.HOME);
  const id = commands.some(({ text }) => /\bID\b|--continue/.test(text)) ? await beginSession({ env, cwd }) : '';
  const script = commands.map((command) => toScript(command, server.url, id)).join('\n');
  const { out, err } = await runShell(script, { env, cwd });
  const ended = [...out.matchAll(/^@@(\S+) (\d+)$/gm)].map(([, at, code]) => [at, Number(code)]);
  assert.deepEqual(
    ended,
    commands.map(({ at, exits }) => [at, exits]),
    `${out}\n${err}`,
  );
}

/** Something was said already; gives the id of that session. */
async function beginSession(place: Place): Promise<string> {
  const { out, err } = await runShell("hermes chat -q 'Say hello.' && hermes sessions list --json", place);
  const id = /"id": ?"([^"]+)"/.exec(out)?.[1];
  assert.ok(id !== undefined, err);
  return id;
}

/** A command with what stands for something on the page filled in, and its exit code told. */
const toScript = ({ at, text }: PageCommand, url: string, id: string): string => {
  const typed = text.replaceAll('http://127.0.0.1:11434', url).replaceAll(/(?<=hermes (?:sessions|chat|replay|usage)\b.*)\bID\b/g, id);
  // Somebody at a terminal would be asked, and say yes.
  const agreed = typed.replace(/^hermes skills install \S+/, '$& --yes');
  const input = typed.includes('--secret') ? `printf %s ${KEY} | ` : '';
  return `${input}${agreed}\nprintf '\\n@@%s %s\\n' ${at} $?`;
};

/** Homes of other programs where they usually are, and one elsewhere. */
function addOtherHomes(root: string): void {
  unpackOtherHome('openclaw-2026.9.6', root);
  unpackOtherHome('hermes-0.13.0', join(root, 'old'));
}

interface Place {
  readonly env: Readonly<Record<string, string>> & { readonly HOME: string };
  readonly cwd: string;
}
function runShell(script: string, { env, cwd }: Place): Promise<{ readonly out: string; readonly err: string }> {
  const child = spawn('bash', ['-c', `set -o pipefail\n${script}`], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (out += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (err += chunk));
  return new Promise((done) => child.once('close', () => done({ out, err })));
}

/** A home with a model on loopback, a project under version control, and `hermes` on the path. */
function layOut(url: string): Place {
  const root = tempHome();
  const [home, cwd, bin] = [join(root, '.hermes'), join(root, 'project'), join(root, 'bin')];
  for (const folder of [home, cwd, bin, join(root, 'notes')]) mkdirSync(folder, { mode: 0o700 });
  writeFileSync(join(home, 'config.yaml'), `model:\n  base_url: ${url}/v1\n  default: test-model\n  context_length: 128000\n`);
  writeFileSync(join(home, '.env'), `OPENAI_API_KEY=${KEY}\n`, { mode: 0o600 });
  mkdirSync(join(home, 'memories'));
  writeFileSync(join(home, 'memories', 'MEMORY.md'), 'Tests run with npm test.\n§\nThe server listens on port 8080.\n');
  writeFileSync(join(bin, 'hermes'), `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`, { mode: 0o755 });
  const env = {
    PATH: `${bin}:${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
    HOME: root,
    LANG: 'C.UTF-8',
    GIT_CONFIG_GLOBAL: '/dev/null',
    ...(process.env['NODE_COMPILE_CACHE'] !== undefined && { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] }),
  };
  writeProject(cwd, env);
  return { env, cwd };
}

function writeProject(cwd: string, env: Place['env']): void {
  const write = (name: string, text: string): void => writeFileSync(join(cwd, name), text);
  write('README.md', '# A project\n');
  write('AGENTS.md', '# Rules\n\n- Run the tests before you answer.\n');
  write('.cursorrules', 'Use two spaces.\n');
  mkdirSync(join(cwd, 'my-skill'));
  write('my-skill/SKILL.md', '---\nname: my-skill\ndescription: Does something, when it is asked to.\n---\n\n1. Do it.\n');
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=Docs', '-c', 'user.email=docs@localhost', ...words], { cwd, env });
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'Begin');
  write('README.md', '# A project\n\nIt has a second line now.\n');
}
