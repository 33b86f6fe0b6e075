import { mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A small project with two defects that its tests know about. */
const FILES: Readonly<Record<string, string>> = {
  'cart.mjs': `/** What a cart costs in cents: every third piece of an item is free, and so is shipping from 50.00 on. */
export function total(items) {
  let cents = 0;
  for (const { price, quantity } of items) {
    cents += price * quantity;
  }
  return cents > 5000 ? cents : cents + 490;
}
`,
  'cart.test.mjs': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { total } from './cart.mjs';

test('a small cart pays shipping', () => assert.equal(total([{ price: 1000, quantity: 1 }]), 1490));
test('every third piece is free', () => assert.equal(total([{ price: 3000, quantity: 3 }]), 6000));
test('shipping is free from exactly 50.00', () => assert.equal(total([{ price: 5000, quantity: 1 }]), 5000));
`,
};

/** Lays the project out in a folder of its own and says where. */
export function writeDemoProject(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-demo-')));
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
  return folder;
}
