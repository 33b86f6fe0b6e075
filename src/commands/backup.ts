import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { toErrorMessage, UsageError } from '../base/errors.ts';
import type { CommandContext } from '../contracts/command.ts';
import { defineCommand } from '../contracts/services/define-command.ts';

const FACTS = { category: 'settings', where: ['shell'], whileBusy: 'run', needs: ['backups'], json: 'as JSON', ownerOnly: true } as const;
const PASSPHRASE_FILE = {
  kind: 'text',
  placeholder: 'file',
  completes: 'file',
  description: 'read the passphrase from the first line of this file instead of asking',
} as const;

export const backup = defineCommand({
  ...FACTS,
  name: 'backup',
  summary: 'Write the whole profile to a file: settings, keys, memory, skills, sessions, chats, schedules',
  arguments: { file: { kind: 'text', completes: 'file', description: 'the file to write; hermes-DATE.tar.gz when left out' } },
  options: { encrypt: { kind: 'flag', description: 'encrypt it with a passphrase (age format)' }, passphraseFile: PASSPHRASE_FILE },
  examples: ['hermes backup', 'hermes backup ~/backups/hermes.tar.gz.age --encrypt'],
  run: async ({ file, encrypt, passphraseFile }, { backups }, context) => {
    const encrypted = encrypt === true || passphraseFile !== undefined;
    const name = file ?? `hermes-${new Date(context.now).toISOString().slice(0, 10)}.tar.gz${encrypted ? '.age' : ''}`;
    const passphrase = encrypted ? await readPassphrase(passphraseFile, context, 'twice') : undefined;
    return backups.backup(resolve(context.cwd, name), passphrase === undefined ? {} : { passphrase });
  },
});

export const restore = defineCommand({
  ...FACTS,
  name: 'restore',
  summary: 'Restore a profile from a file that hermes backup wrote',
  arguments: { file: { kind: 'text', required: true, completes: 'file', description: 'the file to restore from' } },
  options: {
    to: { kind: 'text', placeholder: 'folder', completes: 'folder', description: 'the home to restore to; the current one when left out' },
    replace: { kind: 'flag', description: 'if there is a profile already, move it aside first' },
    answerMissed: {
      kind: 'flag',
      description: 'also answer what was said in chats since the backup; some of it may have been answered before',
    },
    passphraseFile: PASSPHRASE_FILE,
  },
  examples: ['hermes restore hermes-2026-11-18.tar.gz', 'hermes restore backup.tar.gz.age --to ~/.hermes --replace'],
  run: async ({ file, to, replace, answerMissed, passphraseFile }, { backups }, context) => {
    const path = resolve(context.cwd, file);
    const passphrase = (await backups.isEncrypted(path)) ? await readPassphrase(passphraseFile, context, 'once') : undefined;
    return backups.restore(path, {
      ...(to !== undefined && { home: resolve(context.cwd, to) }),
      ...(passphrase !== undefined && { passphrase }),
      replace: replace === true,
      answerMissed: answerMissed === true,
    });
  },
});

async function readPassphrase(file: string | undefined, context: CommandContext, times: 'once' | 'twice'): Promise<string> {
  if (file !== undefined) return readFirstLine(resolve(context.cwd, file));
  const { readSecret, readPiped, signal } = context;
  if (readSecret === undefined)
    throw new UsageError('nobody can be asked for the passphrase here. Add --passphrase-file FILE, or run it in a terminal.');
  const first = await readSecret({ name: 'passphrase', question: 'Passphrase' }, signal);
  if (first === '') throw new UsageError('the passphrase was empty. Nothing was done.');
  // What is piped in was not mistyped, and is there once.
  if (
    times === 'twice' &&
    readPiped === undefined &&
    (await readSecret({ name: 'passphrase', question: 'Passphrase again' }, signal)) !== first
  )
    throw new UsageError('the two passphrases differ. Nothing was done.');
  return first;
}

function readFirstLine(path: string): string {
  try {
    const line = readFileSync(path, 'utf8').split(/\r?\n/)[0] ?? '';
    if (line !== '') return line;
  } catch (error) {
    throw new UsageError(`the passphrase could not be read: ${toErrorMessage(error)}`);
  }
  throw new UsageError(`the first line of ${path} is empty. Put the passphrase there.`);
}
