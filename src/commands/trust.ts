import { resolve } from 'node:path';
import { quoteShellWord } from '../base/shell.ts';
import { toVisibleLine } from '../base/visible.ts';
import { defineCommand } from '../contracts/services/define-command.ts';

const FACTS = { category: 'safety', where: ['shell', 'terminal'], whileBusy: 'run', needs: ['trust'] } as const;

export const trust = defineCommand({
  ...FACTS,
  name: 'trust',
  summary: 'Let the tests, builds and scripts of a folder run without asking where no sandbox contains them',
  arguments: { dir: { kind: 'text', completes: 'folder', description: 'the folder; this one when left out' } },
  json: 'as JSON',
  ownerOnly: true,
  examples: ['hermes trust', 'hermes trust ~/src/shop'],
  run: ({ dir = '.' }, services, { cwd }) => services.trust.add(resolve(cwd, dir)),
  describe: ({ folder, changed, isContained }) =>
    [
      `${changed ? 'Trusted' : 'Trusted already'}: ${folder}`,
      isContained
        ? 'Commands run in a sandbox here, so its code runs without asking anyway. Trust counts where there is no sandbox.'
        : 'Its tests, builds and scripts run without asking, with all of your rights, also when nobody is there.',
      `To take it back: hermes trust remove ${quoteShellWord(folder)}`,
    ]
      .map(toVisibleLine)
      .join('\n'),
});

export const trustList = defineCommand({
  ...FACTS,
  name: 'trust list',
  summary: 'List the folders you trust',
  json: 'one JSON array',
  examples: ['hermes trust list', "hermes trust list --json | jq -r '.[].folder'"],
  run: (_values, services) => services.trust.list(),
  describe: (folders) =>
    folders.map(({ folder, exists }) => toVisibleLine(`${folder}${exists ? '' : '  (not there)'}`)).join('\n') ||
    'No folder is trusted. To trust one: hermes trust DIR',
});

export const trustRemove = defineCommand({
  ...FACTS,
  name: 'trust remove',
  summary: 'Ask again before code of a folder runs',
  arguments: { dir: { kind: 'text', completes: 'folder', description: 'a folder that hermes trust list shows; this one when left out' } },
  json: 'as JSON',
  ownerOnly: true,
  examples: ['hermes trust remove', 'hermes trust remove ~/src/shop'],
  run: ({ dir = '.' }, services, { cwd }) => services.trust.remove(resolve(cwd, dir)),
  describe: ({ folder, changed }) =>
    toVisibleLine(changed ? `No longer trusted: ${folder}` : `${folder} was not trusted. To list those that are: hermes trust list`),
});
