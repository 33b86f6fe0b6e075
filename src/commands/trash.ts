import { resolve } from 'node:path';
import { defineCommand } from '../contracts/services/define-command.ts';

const FACTS = { category: 'safety', where: ['shell'], whileBusy: 'run' } as const;

export const trashList = defineCommand({
  ...FACTS,
  name: 'trash list',
  summary: 'List deleted files, newest first',
  json: 'one JSON array',
  examples: ['hermes trash list', "hermes trash list --json | jq -r '.[].path'"],
  needs: ['trash'],
  run: (_values, { trash }) => trash.list(),
});

export const trashRestore = defineCommand({
  ...FACTS,
  name: 'trash restore',
  summary: 'Restore a deleted file; nothing is overwritten',
  arguments: { id: { kind: 'text', required: true, description: 'its id, or its first characters' } },
  options: { to: { kind: 'text', placeholder: 'path', description: 'restore it to this path instead of its old one' } },
  json: 'as JSON',
  examples: ['hermes trash restore d_019a', 'hermes trash restore d_019a --to /tmp/old.txt'],
  needs: ['trash'],
  run: async ({ id, to }, { trash }, { cwd }) => ({ path: await trash.restore(id, to === undefined ? undefined : resolve(cwd, to)) }),
});

export const trashEmpty = defineCommand({
  ...FACTS,
  name: 'trash empty',
  summary: 'Delete everything in the trash permanently',
  options: { yes: { kind: 'flag', description: 'do not ask for confirmation' } },
  json: 'as JSON',
  destructive: () => 'everything in the trash',
  ownerOnly: true,
  examples: ['hermes trash empty --yes'],
  needs: ['trash'],
  run: (_values, { trash }) => trash.empty(),
});
