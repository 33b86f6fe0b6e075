import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { GOLDENS, promptOf, SLOTS } from './prompts.ts';

const FOLDER = join(import.meta.dirname, '../../../fixtures/golden/prompts');
const HOW = 'UPDATE_GOLDEN=1 writes the files anew; look at the difference before you keep it';

before(async () => {
  if (process.env['UPDATE_GOLDEN'] !== '1') return;
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  for (const [file, scene] of GOLDENS) writeFileSync(join(FOLDER, file), await promptOf(scene));
});

for (const [file, scene] of GOLDENS)
  test(`${file} holds byte for byte`, async () => {
    const path = join(FOLDER, file);
    assert.ok(existsSync(path), `there is no ${file}; ${HOW}`);
    assert.equal(await promptOf(scene), readFileSync(path, 'utf8'));
  });

test('no golden without a row', () => {
  const strays = readdirSync(FOLDER).filter((file) => !GOLDENS.has(file));
  assert.deepEqual(strays, [], HOW);
});

test('the slots stand in the order of the design, none twice in one place', () => {
  const ordered = SLOTS.toSorted((a, b) => a.order - b.order).map(({ name, order }) => `${order} ${name}`);
  assert.equal(
    ordered.join(', '),
    '10 identity, 15 role, 20 guidance, 30 model-rules, 40 system-message, 50 skills, 60 project-context, 70 platform, ' +
      '80 memory, 85 user, 90 external-memory, 100 environment, 110 scene',
  );
});

test('our words are plain ASCII: one wider character doubles the memory of every request', async () => {
  for (const [file, scene] of GOLDENS) assert.match(await promptOf(scene), /^[\n\x20-\x7e]*$/, file);
});

test('no slot is cut: its words are shorter than its cap', async () => {
  for (const [file, scene] of GOLDENS)
    for (const slot of SLOTS) {
      const rendered = await slot.render(scene);
      const text = (typeof rendered === 'object' ? rendered.text : rendered) ?? '';
      assert.ok(text.length <= slot.cap, `${file}: ${slot.name} has ${text.length} of ${slot.cap} characters`);
    }
});
