import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { joinTextBlocks, type JsonObject } from '../../../../src/contracts/message.ts';
import type { Secrets } from '../../../../src/contracts/secrets.ts';
import type { AnyTool } from '../../../../src/contracts/tool.ts';
import { spillTo } from '../../../../src/parts/tools/budget.ts';
import { patchTool } from '../../../../src/parts/tools/builtin/patch/tool.ts';
import { readFileTool } from '../../../../src/parts/tools/builtin/read-file.ts';
import { writeFileTool } from '../../../../src/parts/tools/builtin/write-file.ts';
import { toolSettings } from '../../../../src/parts/tools/settings.ts';
import { createToolkit } from '../../../../src/parts/tools/toolkit.ts';
import { collectDefaults } from '../../../../src/contracts/settings.ts';
import { deskAt, fileOptions, put, tempFolder } from '../../tools/setup.ts';
import { secretsWith } from './setup.ts';
import { executed } from '../../tools/executed.ts';

const KNOWN = 'k9fJ2mQx7Lp0v';
const FILE = `# settings\nservice = one\ntoken = ${KNOWN}\npassword = "x1y2z3w4v5"\nurl = postgres://a:Pa55word@db/x\n`;

/** One call after the other through the door every call takes, echo included: a tool that says what it was given. */
async function desk(folder: string, secrets: Secrets) {
  const options = fileOptions(folder);
  const echo: AnyTool = {
    ...writeFileTool(options),
    name: 'echo',
    restores: [],
    input: { type: 'object', properties: { words: { type: 'string' } } },
    effects: () => ({ kind: 'read', resources: [] }),
    run: async (input) => ({ content: [{ type: 'text', text: JSON.stringify(input), trust: 'tool' }] }),
  };
  const toolkit = await createToolkit({
    tools: [readFileTool({ ...options, maxChars: () => 100_000 }), writeFileTool(options), patchTool(options), echo],
    toolsets: [],
    terminal: deskAt(folder),
    ports: {},
    approval: { ask: async () => ({ allow: true, by: 'test' }) },
    spill: spillTo(join(folder, 'spill'), collectDefaults(toolSettings)),
    secrets,
  });
  const run = { signal: new AbortController().signal, sessionId: 's', turnId: 't', taint: [], report: () => {} };
  return async (name: string, input: JsonObject): Promise<string> => {
    const resolved = toolkit.resolve({ type: 'tool_call', trust: 'model', id: 'c', name, input });
    assert.ok(resolved.ok, JSON.stringify(resolved));
    return joinTextBlocks(await executed(toolkit, resolved, run));
  };
}

const linesOf = (shown: string): string =>
  shown
    .split('\n')
    .flatMap((line) => /^\s*\d+\|(.*)$/.exec(line)?.[1] ?? [])
    .join('\n');

test('a file read with placeholders and written back has its own bytes', async () => {
  const folder = tempFolder();
  put(folder, { 'app.ini': FILE });
  const call = await desk(folder, secretsWith({ APP_TOKEN: KNOWN }));
  const shown = linesOf(await call('read_file', { path: 'app.ini' }));
  assert.equal(shown.match(/«secret:(APP_TOKEN|assignment|url-password):[0-9a-f]{10}»/g)?.length, 3);
  assert.ok(![KNOWN, 'x1y2z3w4v5', 'Pa55word'].some((value) => shown.includes(value)));
  await call('write_file', { path: 'app.ini', content: `${shown.replace('one', 'two')}\n` });
  assert.equal(readFileSync(join(folder, 'app.ini'), 'utf8'), FILE.replace('one', 'two'));
});

test('a patch finds a line by its placeholder and leaves the secret in it', async () => {
  const folder = tempFolder();
  put(folder, { 'app.ini': FILE });
  const call = await desk(folder, secretsWith({ APP_TOKEN: KNOWN }));
  const shown = linesOf(await call('read_file', { path: 'app.ini' })).split('\n');
  const [, , token = '', password = ''] = shown;
  const told = await call('patch', { path: 'app.ini', old_string: `${token}\n${password}`, new_string: `${password}\n${token}` });
  assert.ok(!told.includes(KNOWN), told);
  const [head, service, first, second, ...rest] = FILE.split('\n');
  assert.equal(readFileSync(join(folder, 'app.ini'), 'utf8'), [head, service, second, first, ...rest].join('\n'));
});

test('after a restart what was only masked is not written over, and the words say what to do', async () => {
  const folder = tempFolder();
  put(folder, { 'app.ini': FILE });
  const before = await desk(folder, secretsWith({ APP_TOKEN: KNOWN }));
  const shown = linesOf(await before('read_file', { path: 'app.ini' }));
  const later = await desk(folder, secretsWith({ APP_TOKEN: KNOWN }));
  const refused = await later('write_file', { path: 'app.ini', content: shown });
  assert.match(
    refused,
    /^Not written: «secret:assignment:\w+», «secret:url-password:\w+» stand for a secret that is not known here any more/,
  );
  assert.match(refused, /patch, or with a command/);
  assert.equal(readFileSync(join(folder, 'app.ini'), 'utf8'), FILE);
  await later('read_file', { path: 'app.ini' });
  await later('write_file', { path: 'app.ini', content: `${shown}\n` });
  assert.equal(readFileSync(join(folder, 'app.ini'), 'utf8'), FILE, 'reading it again makes the same placeholders known again');
});

test('a secret that was exchanged meanwhile is refused instead of being confused with the new one', async () => {
  const folder = tempFolder();
  const old = secretsWith({ APP_TOKEN: KNOWN }).redact(`token = ${KNOWN}`);
  const call = await desk(folder, secretsWith({ APP_TOKEN: 'an0therV4lue77' }));
  assert.match(await call('write_file', { path: 'new.ini', content: old }), /^Not written: «secret:APP_TOKEN:/);
});

test('every other argument is taken as the log has it: without secrets', async () => {
  const call = await desk(tempFolder(), secretsWith({ APP_TOKEN: KNOWN }));
  assert.match(await call('echo', { words: `say ${KNOWN}` }), /^\{"words":"say «secret:APP_TOKEN:[0-9a-f]{10}»"\}$/);
});
