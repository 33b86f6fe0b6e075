import assert from 'node:assert/strict';
import { globSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { openHost } from '../../src/app/host/host.ts';
import { resolveHome } from '../../src/base/home.ts';
import { sandboxHere } from '../../src/parts/terminals/sandbox/probe.ts';
import { folder, results, runs, talk, tell } from './host-scene.ts';

const sandbox = await sandboxHere();
const view = (name: string) => ({ calls: [{ id: 'v1', name: 'skill_view', input: { name } }] });
const BUNDLED = resolve('skills/software-development/code-review');

function homeWith(config: object) {
  const home = resolveHome({ HERMES_HOME: mkdtempSync(join(folder, 'home-')) });
  writeFileSync(home.config, JSON.stringify(config));
  return home;
}

test('scripts of bundled and external skills can be run in the sandbox, and nobody can change them', { skip: !sandbox.ok }, async () => {
  const [cwd, shelf] = [mkdtempSync(join(folder, 'work-')), mkdtempSync(join(folder, 'shelf-'))];
  mkdirSync(join(shelf, 'mine'));
  writeFileSync(join(shelf, 'mine', 'SKILL.md'), '---\nname: mine\ndescription: Use for mine\n---\nbody\n');
  const home = homeWith({ terminal: { backend: 'sandbox' }, skills: { external_dirs: [shelf] } });
  await using host = await openHost({ home });
  const look = `ls ${BUNDLED}/scripts; cat ${shelf}/mine/SKILL.md; touch ${BUNDLED}/new ${shelf}/new`;
  await using session = await host.openSession(talk([view('code-review'), runs(look), { text: 'done' }], { cwd }));
  const [page = '', listed = ''] = results(await tell(session, 'review'));
  assert.ok(page.includes(`Folder: ${BUNDLED}\n`) && page.includes(`bash ${BUNDLED}/scripts/review-pack.sh`), page);
  assert.match(listed, /^review-pack\.sh\n[^]*name: mine[^]*\/code-review\/new.*(?:Read-only|denied)[^]*\/new.*(?:Read-only|denied)/);
});

test('where commands do not see a skill’s folder, its page says how to run a script', async () => {
  await using host = await openHost({ home: homeWith({ terminal: { backend: 'docker' } }), env: { PATH: '/nowhere' } });
  await using session = await host.openSession(talk([view('code-review'), { text: 'done' }]));
  const [page = ''] = results(await tell(session, 'review'));
  assert.match(page, /\nFolder: \S+ \(commands of this session cannot see it; .* write it to a file there\)\n/);
});

test('bundled pages name their own folder by the variable that is filled in', () => {
  const pages = globSync('skills/**/*.md');
  assert.ok(pages.length > 20);
  for (const page of pages) assert.doesNotMatch(readFileSync(page, 'utf8'), /(?<!\$\{HERMES_)SKILL_DIR/, page);
});
