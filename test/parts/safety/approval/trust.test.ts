import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { ApprovalRequest } from '../../../../src/contracts/consent.ts';
import { openGrants } from '../../../../src/parts/safety/approval/grants.ts';
import { formatTrust, readTrust } from '../../../../src/parts/safety/approval/grant-scopes.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'trust-')));
after(() => rmSync(root, { recursive: true, force: true }));
const [home, shop, inner, other, link] = ['home', 'home/shop', 'home/shop/packages/a', 'home/other', 'home/link'].map((name) =>
  join(root, name),
) as [string, string, string, string, string];
for (const folder of [inner, other]) mkdirSync(folder, { recursive: true });
symlinkSync(shop, link);

const act = (key: string, more: Partial<ApprovalRequest> = {}): ApprovalRequest => ({
  tool: 'terminal',
  summary: 'npm test',
  reason: 'it runs code of the project',
  key,
  at: { project_code: [shop] },
  cwd: shop,
  sessionId: 's1',
  ...more,
});
const grants = (entries: readonly string[], workspace = shop) =>
  openGrants({ lasting: () => entries, workspace, canTrust: (folder) => folder !== home && folder !== '/' });

const ROWS: readonly (readonly [
  what: string,
  entries: readonly string[],
  action: ApprovalRequest,
  covered: boolean,
  workspace?: string,
])[] = [
  ['code of a trusted folder', [formatTrust(shop)], act('project_code'), true],
  ['code on the command line there', [formatTrust(shop)], act('interpreter_code', { at: {} }), true],
  ['both in one line', [formatTrust(shop)], act('interpreter_code+project_code'), true],
  ['no folder is trusted', [], act('project_code'), false],
  ['another folder is', [formatTrust(other)], act('project_code'), false],
  ['a folder below it is: its parent is not', [formatTrust(inner)], act('project_code'), false],
  ['a folder above it is', [formatTrust(shop)], act('project_code', { at: { project_code: [inner] }, cwd: inner }), true, inner],
  ['the home in the list', [formatTrust(home)], act('project_code'), false],
  ['the whole disk in the list', [formatTrust('/')], act('project_code'), false],
  ['the shell stands elsewhere', [formatTrust(shop)], act('interpreter_code', { cwd: other }), false],
  ['the line goes elsewhere first', [formatTrust(shop)], act('project_code', { at: { project_code: [shop, other] } }), false],
  ['a session that began elsewhere', [formatTrust(shop)], act('project_code'), false, other],
  ['a session that began behind a link', [formatTrust(shop)], act('interpreter_code', { at: {}, cwd: link }), true, link],
  ['code of a folder that nobody knows', [formatTrust(shop)], act('project_code', { at: {} }), false],
  [
    'another danger beside it',
    [formatTrust(shop)],
    act('project_code+data_sent', { at: { project_code: [shop], data_sent: ['host:evil.example'] } }),
    false,
  ],
  [
    'another danger that is allowed as well',
    [formatTrust(shop), 'data_sent at host:api.example.org'],
    act('project_code+data_sent', { at: { project_code: [shop], data_sent: ['host:api.example.org'] } }),
    true,
  ],
  ['another danger alone', [formatTrust(shop)], act('privilege'), false],
];
for (const [what, entries, action, covered, workspace] of ROWS)
  test(`${what}: ${covered ? 'goes unasked' : 'is asked about'}`, async () => {
    assert.equal((await grants(entries, workspace).covers(action)) !== undefined, covered);
  });

test('always is offered for the code of a folder that can be trusted, and is the trust in it', () => {
  assert.deepEqual(grants([]).scopes(act('project_code')), ['once', 'task', 'session', 'always']);
  assert.deepEqual(grants([], home).scopes(act('project_code', { at: { project_code: [home] } })), ['once', 'task', 'session']);
  assert.equal(readTrust(`project_code at ${shop}`), shop);
});

test('a folder is named as a cure only where trust would be enough', () => {
  assert.deepEqual(
    [
      grants([]).trustable(act('project_code')),
      grants([]).trustable(act('interpreter_code', { at: {} })),
      grants([]).trustable(act('project_code+not_reading')),
      grants([], home).trustable(act('project_code', { at: { project_code: [home] } })),
      grants([]).trustable(act('project_code', { at: { project_code: [shop, other] } })),
    ],
    [shop, shop, undefined, undefined, undefined],
  );
});
