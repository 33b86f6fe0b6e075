import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { CarriedShellState } from '../../../../src/contracts/terminal.ts';
import { createConsentJudge } from '../../../../src/parts/safety/judge/consent-judge.ts';
import { withoutNeedlessQuestions } from '../../../../src/parts/safety/judge/harmless.ts';
import { createCommandJudge } from '../../../../src/parts/safety/judge/judge.ts';
import { tempFolder } from '../../tools/setup.ts';

function desk({ kind = 'local', kept = true }: { readonly kind?: string; readonly kept?: boolean } = {}) {
  const workspace = tempFolder();
  mkdirSync(join(workspace, 'src'));
  writeFileSync(join(workspace, 'a.txt'), 'changed\n');
  writeFileSync(join(workspace, 'src/b.txt'), 'changed\n');
  for (const [folder, file] of [
    ['node_modules/x', 'i.js'],
    ['.venv', 'p.cfg'],
    ['made', 'cache.txt'],
    ['made', 'CACHEDIR.TAG'],
    ['.', '.hermes-1.tmp'],
  ] as const) {
    mkdirSync(join(workspace, folder), { recursive: true });
    writeFileSync(join(workspace, folder, file), 'changed\n');
  }
  writeFileSync(join(workspace, 'large.bin'), Buffer.alloc(2_000));
  const ground = { kind, workspace };
  const judge = createConsentJudge(withoutNeedlessQuestions(createCommandJudge({ 'approvals.deny': [] }, ground), kind), {
    ...ground,
    ...(kept && { maxKeptBytes: 1_000 }),
  });
  return (line: string, carried?: readonly CarriedShellState[]) => judge(line, { cwd: workspace, home: '/home/nobody', carried }).type;
}

test('env and printenv run: commands have no secrets in their environment', () => {
  const judged = desk();
  for (const line of [
    'env',
    'printenv',
    'env -0',
    'env | sort',
    'printenv | sort | head -5',
    'env | wc -l',
    'pwd; env',
    'cd /tmp && printenv',
    'env | sort; id',
    'touch x; env',
    'echo "== env; all"; env | sort\nls src > list',
  ])
    assert.equal(judged(line), 'fine', line);
  for (const line of ['pwd; env', 'cd /tmp && printenv', 'env | sort; id', 'touch x; env', 'env || true', 'ls\nenv\n', 'echo "a b"; env'])
    assert.equal(judged(line), 'fine', `beside others: ${line}`);
  for (const line of [
    'env > vars',
    'env | tee vars',
    'printenv API_KEY',
    'source .env; env',
    '. ./.env && env',
    'set -a; . .env; env',
    'export KEY=1; env',
    'export X; read X < key; env',
    'cd /tmp; cat .env; env',
    'env; sudo true',
    'env; env | grep TOKEN',
    'pwd; printenv API_KEY',
    'eval "$(cat x)"; env',
    'A=1 env',
    'env & id',
    'pwd; . ./.env; env',
    'cat .env; env',
    'env; printenv API_KEY',
    'set -a; env',
    'export X=$(cat .env); env',
    'X=1 env; env',
    'bash -c "id; env"; pwd > f; env > vars',
    'pwd; env > vars',
    'ssh web "id; env; ls"; env',
    'rm -rf /srv/data; env',
    'if true; then env; fi',
    'env $(cat .env) printenv',
    'export -p',
    'X=$(env); echo "$X"',
  ])
    assert.equal(judged(line), 'ask', line);
  const held = (script: string): CarriedShellState => ({ type: 'held', script });
  assert.equal(judged('env', [held('declare -x EDITOR="vi"\n')]), 'fine');
  assert.equal(judged('env', [held('declare -x DB_PASSWORD="hunter2"\n')]), 'ask', 'an earlier command loaded it');
  assert.equal(judged('env', [held('declare -x DATABASE_URL="postgres://me:hunter2@db/x"\n')]), 'ask');
  assert.equal(desk({ kind: 'ssh' })('env'), 'ask', 'the environment of another host is not ours');
});

test('discarding and deleting run where a checkpoint keeps what would be lost', () => {
  const judged = desk();
  for (const line of [
    'git checkout -- a.txt',
    'git restore a.txt src/b.txt',
    'git restore -- a.txt',
    'git restore --worktree a.txt',
    'cd src && git checkout -- b.txt && git status',
    'git checkout -- gone.txt',
    'git restore src',
    'git restore --source=HEAD~1 a.txt',
    'git restore --staged --worktree a.txt',
    'git checkout HEAD~1 -- a.txt',
    'rm -rf src',
    'echo a.txt | xargs git restore',
  ])
    assert.equal(judged(line), 'fine', line);
  for (const line of [
    'git checkout -- large.bin',
    'git checkout -- .',
    'git restore .',
    "git restore '*.txt'",
    'git restore "$FILE"',
    'git restore ../elsewhere.txt',
    'git checkout -- a.txt; git reset --hard HEAD~1',
    'git -C /srv/other checkout -- a.txt',
    'git checkout -- a.txt && sudo true',
  ])
    assert.equal(judged(line), 'ask', line);
  for (const line of [
    'git restore node_modules/x/i.js',
    'git checkout -- .venv/p.cfg',
    'git restore -- a.txt node_modules/x/i.js',
    'cd node_modules && git restore x/i.js',
    'git restore made/cache.txt',
    'git restore .hermes-1.tmp',
  ])
    assert.equal(judged(line), 'ask', `no checkpoint keeps it: ${line}`);
  assert.equal(desk({ kind: 'docker' })('git restore a.txt'), 'ask', 'files of a container are not kept');
  assert.equal(desk({ kept: false })('git restore a.txt'), 'ask', 'without checkpoints it is asked');
});
