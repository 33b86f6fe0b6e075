import { UsageError } from '../base/errors.ts';
import { toPrintable } from '../base/printable.ts';
import { refuseBeforeOthers } from './before-others.ts';
import { defineCommand } from '../contracts/services/define-command.ts';
import type { MemoryOperation, MemoryTarget } from '../contracts/memory.ts';
import type { MemoryChangeView, MemoryService } from '../contracts/services/owner.ts';

const FACTS = { category: 'prompt', where: ['shell'], whileBusy: 'run', needs: ['memory'] } as const;
const TARGET = { kind: 'text', required: true, description: 'memory or user' } as const;

const describeChange = ({ effects, used, limit }: Extract<MemoryChangeView, { ok: true }>): string =>
  [...effects.map(({ did, text }) => `${did}: ${toPrintable(text)}`), `${used} of ${limit} characters.`].join('\n');

export const memoryList = defineCommand({
  ...FACTS,
  where: ['shell', 'terminal', 'chat'],
  slash: ['memory', 'memory list'],
  name: 'memory list',
  summary: 'List all entries and where each came from',
  json: 'one JSON array',
  examples: ['hermes memory list', "hermes memory list --json | jq -r '.[].text'"],
  run: (_values, { memory }, { othersRead }) => {
    refuseBeforeOthers(othersRead, 'memory');
    return memory.read();
  },
  describe: (stores) =>
    stores
      .map(({ target, used, limit, entries }) =>
        [`${target} (${used} of ${limit} characters)`, ...entries.map(({ text }, index) => `${index + 1}. ${toPrintable(text)}`)].join(
          '\n',
        ),
      )
      .join('\n\n'),
});

export const memoryAdd = defineCommand({
  ...FACTS,
  where: ['shell', 'terminal'],
  name: 'memory add',
  summary: 'Add an entry',
  arguments: { target: TARGET, words: { kind: 'text', required: true, description: 'what to remember' } },
  ownerOnly: true,
  json: 'as JSON',
  examples: ['hermes memory add memory "Tests run with: npm test"'],
  run: ({ target, words }, { memory }) => change(targetOf(target, memory), { action: 'add', content: words }, memory),
  describe: describeChange,
});

/** By its number in the list, or by words that only one entry has. */
export const memoryRemove = defineCommand({
  ...FACTS,
  where: ['shell', 'terminal'],
  name: 'memory remove',
  summary: 'Remove an entry, by its number or by text that only it contains',
  arguments: { target: TARGET, entry: { kind: 'text', required: true, description: 'its number, or text from it' } },
  ownerOnly: true,
  json: 'as JSON',
  examples: ['hermes memory remove user 2', 'hermes memory remove memory "npm test"'],
  run: async ({ target: name, entry }, { memory }) => {
    const target = targetOf(name, memory);
    const store = (await memory.read()).find((each) => each.target === target);
    const numbered = /^\d+$/.test(entry) ? store?.entries[Number(entry) - 1]?.text : undefined;
    return change(target, { action: 'remove', oldText: numbered ?? entry }, memory);
  },
  describe: describeChange,
});

export const memoryPath = defineCommand({
  ...FACTS,
  name: 'memory path',
  summary: 'Print the paths of the memory files',
  json: 'as JSON',
  examples: ['$EDITOR "$(hermes memory path)/MEMORY.md"'],
  run: async (_values, { memory }) => ({ path: memory.folder }),
});

async function change(target: MemoryTarget, operation: MemoryOperation, memory: MemoryService) {
  const changed = await memory.change(target, operation);
  if (!changed.ok) throw new UsageError(toPrintable(changed.words));
  return changed;
}

function targetOf(name: string, { targets }: MemoryService): MemoryTarget {
  const found = targets.find((target) => target === name);
  if (found === undefined) throw new UsageError(`there is no memory ${name}; there are ${targets.join(' and ')}.`);
  return found;
}
