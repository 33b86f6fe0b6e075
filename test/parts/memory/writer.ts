/**
 * A program that adds to a memory until it is done or killed; run by the tests as a process of its own.
 *   node writer.ts HOME NAME COUNT
 * Prints each entry once `changeMemory` has said that it is there.
 */
import { writeSync } from 'node:fs';
import { collectDefaults } from '../../../src/contracts/settings.ts';
import { changeMemory } from '../../../src/parts/memory/change-memory.ts';
import { memorySettings } from '../../../src/parts/memory/settings.ts';
import type { MemoryPlace } from '../../../src/parts/memory/stores.ts';

const [home = '', name = '', count = '0'] = process.argv.slice(2);
const settings = { ...collectDefaults(memorySettings), 'memory.memory_char_limit': 1_000_000 };
const place: MemoryPlace = { home, settings, scan: () => [], admit: () => ({ allow: true, notices: [] }) };

for (let i = 0; i < Number(count); i++) {
  const content = `${name}-${i} ${'x'.repeat((i * 97) % 900)}`.trim();
  const source = { sessionId: name, turnId: `t${i}`, foreign: [] };
  const result = await changeMemory(place, 'memory', [{ action: 'add', content }], { source, waitMs: 60_000 });
  if (!result.ok) throw new Error(result.words);
  writeSync(1, `${content}\n`);
}
