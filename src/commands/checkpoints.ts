import { resolve } from 'node:path';
import { resolveFromNearestParent } from '../base/real-path.ts';
import { quoteShellWord } from '../base/shell.ts';
import { defineCommand } from '../contracts/services/define-command.ts';
import type { CheckpointScope, CheckpointService } from '../contracts/services/undo.ts';
import { resolveCheckpoint, diffFiles, isNumber, restoreFiles, type RollbackSource } from './rollback-steps.ts';

const FACTS = { category: 'safety', where: ['shell'], whileBusy: 'run', needs: ['checkpoints'] } as const;
const CHECKPOINT = {
  kind: 'text',
  required: true,
  description: 'its number in the list, its id, or the first characters of its id',
} as const;
const FILE = { kind: 'text', description: 'only this file' } as const;
const CWD = { kind: 'text', placeholder: 'dir', description: 'use this folder instead of the current one' } as const;

export const checkpointsList = defineCommand({
  ...FACTS,
  name: 'checkpoints list',
  summary: 'List checkpoints, newest first',
  options: { cwd: CWD, everywhere: { kind: 'flag', description: 'include all folders' } },
  json: 'one JSON array',
  examples: ['hermes checkpoints list', "hermes checkpoints list --json | jq -r '.[].what'"],
  run: async ({ cwd, everywhere }, { checkpoints }, context) =>
    checkpoints.list(everywhere === true ? {} : { folder: folderOf(cwd, context.cwd) }),
});

export const checkpointsShow = defineCommand({
  ...FACTS,
  name: 'checkpoints show',
  summary: 'Show a checkpoint and its files',
  arguments: { checkpoint: CHECKPOINT },
  options: { cwd: CWD },
  json: 'as JSON',
  examples: ['hermes checkpoints show 1'],
  run: async ({ checkpoint, cwd }, { checkpoints }, context) =>
    resolveCheckpoint(checkpoint, checkpoints.list(scopeFor(checkpoint, folderOf(cwd, context.cwd), checkpoints))),
});

export const checkpointsDiff = defineCommand({
  ...FACTS,
  name: 'checkpoints diff',
  summary: 'Show what restoring it would change',
  arguments: { checkpoint: CHECKPOINT, file: FILE },
  options: { cwd: CWD },
  json: 'one JSON array',
  examples: ['hermes checkpoints diff 2', 'hermes checkpoints diff 2 src/main.ts'],
  run: ({ checkpoint, file, cwd }, { checkpoints }, context) =>
    diffFiles({ checkpoint, file }, placeFor(checkpoint, cwd, context.cwd, checkpoints), checkpoints),
});

export const checkpointsRestore = defineCommand({
  ...FACTS,
  name: 'checkpoints restore',
  summary: 'Restore files to how they were before it',
  arguments: { checkpoint: CHECKPOINT, file: FILE },
  options: { cwd: CWD, all: { kind: 'flag', description: 'also restore files that somebody else changed since' } },
  json: 'one JSON array',
  examples: ['hermes checkpoints restore 1', 'hermes checkpoints restore 3 src/main.ts --all'],
  run: ({ checkpoint, file, all, cwd }, { checkpoints }, context) =>
    restoreFiles({ checkpoint, file, all }, placeFor(checkpoint, cwd, context.cwd, checkpoints), checkpoints),
});

export const checkpointsPrune = defineCommand({
  ...FACTS,
  name: 'checkpoints prune',
  summary: 'Delete old checkpoints',
  json: 'as JSON',
  examples: ['hermes checkpoints prune'],
  run: (_values, { checkpoints }) => checkpoints.prune(),
});

export const checkpointsClear = defineCommand({
  ...FACTS,
  name: 'checkpoints clear',
  summary: 'Delete all checkpoints permanently',
  options: { yes: { kind: 'flag', description: 'do not ask for confirmation' } },
  json: 'as JSON',
  destructive: () => 'every checkpoint',
  ownerOnly: true,
  examples: ['hermes checkpoints clear --yes'],
  run: (_values, { checkpoints }) => checkpoints.clear(),
});

export const checkpointsStatus = defineCommand({
  ...FACTS,
  name: 'checkpoints status',
  summary: 'Show the number of checkpoints and their disk usage',
  json: 'as JSON',
  examples: ['hermes checkpoints status'],
  run: async (_values, { checkpoints }) => checkpoints.status(),
});

const folderOf = (named: string | undefined, here: string): string => resolveFromNearestParent(resolve(here, named ?? '.'));

/** A number is one of the list of a folder. An id may be one of another folder: that one is then rolled back, not this. */
function scopeFor(ref: string, folder: string, checkpoints: CheckpointService): CheckpointScope {
  const known = (scope: CheckpointScope) => checkpoints.list(scope).filter(({ id }) => id.startsWith(ref));
  if (isNumber(ref) || known({ folder }).length > 0) return { folder };
  const [only, ...others] = known({});
  return only === undefined || others.length > 0 ? {} : { folder: only.root };
}

function placeFor(ref: string, named: string | undefined, here: string, checkpoints: CheckpointService): RollbackSource {
  const base = folderOf(named, here);
  const from = named === undefined ? [] : ['--cwd', named];
  const say = (words: readonly string[]): string => ['hermes checkpoints restore', ...[...words, ...from].map(quoted)].join(' ');
  return { base, scope: scopeFor(ref, base, checkpoints), sessionId: '', say };
}
const quoted = (word: string): string => (/^[\w./:@%+=-]+$/.test(word) ? word : quoteShellWord(word));
