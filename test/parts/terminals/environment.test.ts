import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filterCommandEnvironment, isSecretNamed, splitEnvironment } from '../../../src/parts/terminals/process/environment.ts';

const filled = (names: string): Record<string, string> => Object.fromEntries(names.split(' ').map((name) => [name, 'value']));
const passed = (names: string, passthrough: readonly string[] = []): string =>
  Object.keys(filterCommandEnvironment(filled(names), passthrough)).join(' ');

test('commands get what every program needs and what toolchains look for', () => {
  const usual =
    'PATH HOME USER SHELL LANG LC_ALL LC_TIME TERM TZ TMPDIR XDG_RUNTIME_DIR PWD EDITOR COLORTERM NO_COLOR CI DISPLAY WAYLAND_DISPLAY JAVA_HOME GOPATH GOPRIVATE CARGO_HOME NVM_DIR PYENV_ROOT VIRTUAL_ENV CONDA_PREFIX NODE_OPTIONS https_proxy NO_PROXY SSH_AUTH_SOCK GIT_AUTHOR_NAME GIT_COMMITTER_EMAIL HERMES_HOME';
  assert.equal(passed(usual), usual);
});

test('nothing else, and no secret under an allowed prefix', () => {
  assert.equal(passed('FOO MY_SETTING OPENAI_API_KEY NODE_AUTH_TOKEN CONDA_TOKEN XDG_SESSION_COOKIE YARN_NPM_AUTH_IDENT DATABASE_URL'), '');
});

test('a name the owner writes out is passed whatever it looks like, a pattern passes no secret', () => {
  const names = 'MY_NAME MY_TOKEN MY_OTHER_KEY FOO OUTER_MY_X';
  assert.equal(passed(names, ['MY_*']), 'MY_NAME');
  assert.equal(passed(names, ['MY_*', 'MY_TOKEN', 'FOO']), 'MY_NAME MY_TOKEN FOO');
  assert.equal(passed('A.B AxB', ['A.B']), 'A.B', 'a name is no pattern');
  assert.equal(filterCommandEnvironment({ PATH: undefined, FOO: '' }, ['FOO'])['FOO'], '');
});

test('what is held back is told by name, secrets left out', () => {
  assert.deepEqual(splitEnvironment(filled('PATH FOO MY_TOKEN BAR'), ['BAR']), { env: { PATH: 'value', BAR: 'value' }, withheld: ['FOO'] });
  for (const name of ['npm_config__auth', 'aws_secret_access_key', 'PGPASSWORD', 'PRIVATE_STUFF']) assert.ok(isSecretNamed(name), name);
  for (const name of ['DB_PASS', 'DB_PASS2', 'MYSQL_PWD', 'GITHUB_PAT', 'SENTRY_DSN', 'userPin', 'smtp.pass', 'SLACK_WEBHOOK_URL'])
    assert.ok(isSecretNamed(name), name);
  for (const name of ['PWD', 'OLDPWD', 'PYTHONPATH', 'PING', 'BYPASS', 'COMPASS', 'SPATIAL', 'PINNED'])
    assert.ok(!isSecretNamed(name), name);
  for (const name of ['XAUTHORITY', 'GIT_AUTHOR_EMAIL', 'PATH']) assert.ok(!isSecretNamed(name), name);
});

test('a star stands for any rest, also in the middle and more than once', () => {
  const pass = (name: string, pattern: string) => Object.keys(filterCommandEnvironment({ [name]: 'x' }, [pattern])).length === 1;
  for (const [name, pattern, expected] of [
    ['ACME_REGION', 'ACME_*', true],
    ['ACME_', 'ACME_*', true],
    ['MY_ACME_X', 'ACME_*', false],
    ['ACME_EU_REGION', 'ACME_*_REGION', true],
    ['ACME_REGION', 'ACME_*_REGION', false],
    ['A_B_C_D', 'A*B*D', true],
    ['A_D_B', 'A*B*D', false],
    ['XAX', '*A*', true],
  ] as const)
    assert.equal(pass(name, pattern), expected, `${name} ${pattern}`);
});
