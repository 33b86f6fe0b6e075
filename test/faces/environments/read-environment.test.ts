import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { findEnvironment } from '../../../src/faces/environments/read-environment.ts';

const folder = mkdtempSync(join(tmpdir(), 'hermes-read environment-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const write = (name: string, ...lines: readonly string[]): void => writeFileSync(join(folder, name), `${lines.join('\n')}\n`);
const load = (name: string): Promise<unknown> => findEnvironment(`./${name}`, folder);

test('a file that cannot be loaded is told with the line that is wrong', async () => {
  for (const ending of ['ts', 'mjs']) {
    const [syntax, thrown, outer] = [`syntax.${ending}`, `thrown.${ending}`, `outer.${ending}`];
    write(syntax, 'export default {', "  name: 'x',", '  load: async () => ({ evaluation: [ }),', '};');
    write(thrown, 'const settings = undefined;', '', 'settings.name;');
    write(outer, '', `import './${thrown}';`);
    const of = (name: string): string => join(folder, name);
    await assert.rejects(load(syntax), ({ message }: Error) => message.startsWith(of(syntax)) && message.endsWith(' (line 3)'));
    await assert.rejects(load(outer), ({ message }: Error) => message.endsWith(` (${of(thrown)}, line 3)`));
    await assert.rejects(load(thrown), ({ message }: Error) => message.endsWith(' (line 3)'));
  }
  write('missing.mjs', "import './nowhere.mjs';");
  await assert.rejects(load('missing.mjs'), /missing\.mjs could not be loaded: Cannot find module .*nowhere\.mjs/);
});
