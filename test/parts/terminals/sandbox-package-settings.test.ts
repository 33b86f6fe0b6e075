import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { writePackageSettings } from '../../../src/parts/terminals/sandbox/package-settings.ts';

function machine() {
  const root = mkdtempSync(join(tmpdir(), 'packages-'));
  const [home, bin] = ['home', 'bin'].map((name) => join(root, name)) as [string, string];
  for (const folder of [home, bin, join(home, '.config/pip')]) mkdirSync(folder, { recursive: true });
  return { home, bin };
}

const write = (home: string, folder: string, env: Readonly<Record<string, string>>, always = false) =>
  writePackageSettings({ home, folder, inside: '/run/hermes/bin', env, always });

test('of the settings of package managers commands get what is no secret', () => {
  const { home, bin } = machine();
  writeFileSync(
    join(home, '.npmrc'),
    'registry=https://me:pw-1@npm.corp.example/\n@corp:registry = https://npm.corp.example/team/\n//npm.corp.example/:_authToken=tok-2\n_auth=tok-3\nemail=me@corp.example\nfund=false\n',
  );
  writeFileSync(join(home, '.config/pip/pip.conf'), '[global]\nindex-url = https://u:tok-4@pypi.corp.example/simple\npassword = tok-5\n');
  assert.deepEqual(write(home, bin, {}), {
    npm_config_userconfig: '/run/hermes/bin/npmrc',
    PIP_CONFIG_FILE: '/run/hermes/bin/pip.conf',
  });
  assert.equal(
    readFileSync(join(bin, 'npmrc'), 'utf8'),
    'registry=https://npm.corp.example/\n@corp:registry = https://npm.corp.example/team/\nfund=false\n',
  );
  assert.equal(readFileSync(join(bin, 'pip.conf'), 'utf8'), '[global]\nindex-url = https://pypi.corp.example/simple\n');
});

test('a file with nothing but tokens, and one the owner names otherwise, are left out', () => {
  const { home, bin } = machine();
  writeFileSync(join(home, '.npmrc'), '//registry.npmjs.org/:_authToken=tok-1\n');
  writeFileSync(join(home, '.config/pip/pip.conf'), '[global]\nindex-url = https://pypi.corp.example/simple\n');
  assert.deepEqual(write(home, bin, { PIP_CONFIG_FILE: '/etc/pip.conf' }), {});
  assert.deepEqual(readdirSync(bin), []);
});

test('whatever stands in an address as a secret does not come along', () => {
  const { home, bin } = machine();
  const token = 'k3J9x0Qm2LtB7vWzP5aR';
  writeFileSync(
    join(home, '.npmrc'),
    `registry=https://me:p@ss@npm.corp.example/team/
@a:registry=https://npm.fury.example/${token}/me/
@b:registry=https://npm.corp.example/artifactory/api/npm/npm-virtual2024/
@c:registry=https://npm.corp.example/?token=abc
@d:registry=https://me:p/w@npm.corp.example/
@e:registry=https://npm.corp.example/glpat-abcdefghijk/
`,
  );
  writeFileSync(
    join(home, '.config/pip/pip.conf'),
    `[global]
extra-index-url =
    https://u:p@ss@one.corp.example/simple

    # the second
    https://dl.example/${token}/simple
    https://two.corp.example/simple
find-links =
    https://dl.example/${token}/links
password =
    tok-1
trusted-host = one.corp.example
    two.corp.example
`,
  );
  write(home, bin, {});
  assert.equal(
    readFileSync(join(bin, 'npmrc'), 'utf8'),
    'registry=https://npm.corp.example/team/\n@b:registry=https://npm.corp.example/artifactory/api/npm/npm-virtual2024/\n',
  );
  assert.equal(
    readFileSync(join(bin, 'pip.conf'), 'utf8'),
    `[global]
extra-index-url =
    https://one.corp.example/simple
    https://two.corp.example/simple
trusted-host = one.corp.example
    two.corp.example
`,
  );
});
