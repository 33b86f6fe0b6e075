import { readFileSync } from 'node:fs';
import { isMissing, toErrorMessage, UsageError } from '../base/errors.ts';
import { isObject, parseJson } from '../base/json.ts';
import { toPrintable } from '../base/printable.ts';
import { formatCount } from '../base/screen/figures.ts';
import { isSecretName } from '../base/secret-names.ts';
import type { CommandContext } from '../contracts/command.ts';
import type { ExportedFact } from '../contracts/memory-provider.ts';
import { defineCommand } from '../contracts/services/define-command.ts';
import type { AskedField, MemoryProviderService, MemoryProviderStatus, MemorySetup } from '../contracts/services/memory-provider.ts';
import { writeNewFile } from './write-new-file.ts';

const FACTS = { category: 'prompt', where: ['shell'], whileBusy: 'run', needs: ['memoryProvider'] } as const;

/** Everything is asked first and saved at the end: broken off, it leaves nothing behind. */
export const memorySetup = defineCommand({
  ...FACTS,
  name: 'memory setup',
  summary: 'Choose an external memory and set it up',
  options: {
    provider: { kind: 'text', placeholder: 'name', description: 'use this provider' },
    set: { kind: 'list', placeholder: 'key=value', description: 'a value it asks for; may be repeated' },
  },
  ownerOnly: true,
  json: 'as JSON',
  examples: ['hermes memory setup', 'hermes memory setup --provider session_log', 'hermes memory setup --provider mem0 --set user_id=ada'],
  run: async ({ provider, set = [] }, { memoryProvider }, context) => {
    const name = provider ?? (await pickProvider(memoryProvider, context));
    return memoryProvider.setUp(name, await answerFields(name, await memoryProvider.fields(name), parsePairs(set), context));
  },
  describe: ({ provider, variables, trouble }: MemorySetup) =>
    [
      `The memory provider is ${provider}. New sessions use it.`,
      ...(variables.length === 0 ? [] : [`Saved in .env: ${variables.join(', ')}.`]),
      ...(trouble === undefined ? [] : [`It cannot be used yet: ${toPrintable(trouble)}`]),
    ].join('\n'),
});

async function pickProvider(service: MemoryProviderService, { choose }: CommandContext): Promise<string> {
  const rows = await service.list();
  if (choose === undefined)
    throw new UsageError(`name a provider: hermes memory setup --provider NAME. There are ${rows.map(({ name }) => name).join(', ')}.`);
  const suggested = rows.find(({ isActive }) => isActive)?.name;
  return choose({
    question: 'Which memory should be asked beside the two files?',
    choices: rows.map(({ name, description }) => ({ value: name, note: description })),
    ...(suggested !== undefined && { suggested }),
  });
}

function parsePairs(pairs: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) throw new UsageError(`--set needs key=value, and got ${pair}.`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

/** Asks for everything the provider knows, in its order; an empty answer keeps the default. */
async function answerFields(
  name: string,
  fields: readonly AskedField[],
  given: ReadonlyMap<string, string>,
  context: CommandContext,
): Promise<Readonly<Record<string, string>>> {
  const known = new Set(fields.map(({ key }) => key));
  for (const key of given.keys())
    if (!known.has(key)) throw new UsageError(`${name} asks for no ${key}. It asks for ${[...known].join(', ') || 'nothing'}.`);
  for (const field of fields) refuseUnkept(name, field);
  const answers: Record<string, string> = {};
  for (const field of fields) {
    const answer = given.get(field.key) ?? (await askField(name, field, context));
    if (answer === undefined || answer === '') continue;
    if (field.choices?.includes(answer) === false) throw new UsageError(`${field.key} must be one of ${field.choices.join(', ')}.`);
    answers[field.key] = answer;
  }
  return answers;
}

/** Before anything is asked: what is answered must have a place. One that is set already is not asked for. */
function refuseUnkept(name: string, { key, secret, env_var: variable, isSet }: AskedField): void {
  if (secret !== true || isSet) return;
  if (variable === undefined)
    throw new UsageError(`${name} asks for the secret ${key} and names no variable to keep it in, so it cannot be set up.`);
  if (!isSecretName(variable))
    throw new UsageError(
      `${name} keeps the secret ${key} in ${variable}, and the names of secrets end in _API_KEY, _TOKEN or similar. Nothing was saved. To set it up all the same, add the line ${variable}=VALUE to the file .env of the profile first.`,
    );
}

async function askField(name: string, field: AskedField, context: CommandContext): Promise<string | undefined> {
  const { required, default: usual, isSet } = field;
  if (isSet) return undefined;
  const answer = (await putQuestion(field, context))?.trim() || usual;
  // A default that is not saved stays the provider's to change.
  if (answer === usual && required !== true) return undefined;
  if (answer === undefined && required === true) throw new UsageError(describeMissing(name, field));
  return answer;
}

/** Gives nothing where nobody can be asked. A script pipes a secret in. */
async function putQuestion(
  { key, description, secret, default: usual, choices, url, env_var: variable }: AskedField,
  { ask, choose, readSecret, readPiped, signal }: CommandContext,
): Promise<string | undefined> {
  const question = `${description} (${key})${url === undefined ? '' : `, from ${url}`}`;
  if (secret === true)
    return ask === undefined && readPiped === undefined ? undefined : readSecret?.({ name: variable ?? key, question }, signal);
  if (choices !== undefined && choose !== undefined)
    return choose({ question, choices: choices.map((value) => ({ value })), ...(usual !== undefined && { suggested: usual }) });
  return ask?.(usual === undefined ? `${question}?` : `${question} [${usual}]?`);
}

function describeMissing(name: string, { key, description, secret, url, env_var: variable }: AskedField): string {
  const way =
    secret === true && variable !== undefined
      ? `pipe it in, or set ${variable} first: hermes config set ${variable}`
      : `add --set ${key}=VALUE`;
  return `${name} needs ${key} (${description}), and it was not given: ${way}.${url === undefined ? '' : ` Get it from ${url}`}`;
}

export const memoryStatus = defineCommand({
  ...FACTS,
  where: ['shell', 'terminal'],
  name: 'memory status',
  summary: 'Show the external memory, whether it can be used and how many sessions it has not received yet',
  json: 'as JSON',
  examples: ['hermes memory status', 'hermes memory status --json'],
  run: (_values, { memoryProvider }, { signal }) => memoryProvider.status(signal),
  describe: describeMemoryStatus,
});

export function describeMemoryStatus({ provider, ok, trouble, words, backlog, hasCommands }: MemoryProviderStatus): string {
  if (provider === '') return 'No external memory is in use. To choose one: hermes memory setup';
  const { sessions = 0, lastTrouble } = backlog ?? {};
  return [
    `${provider}: ${ok ? 'ready' : 'cannot be used'}`,
    ...(trouble === undefined ? [] : [toPrintable(trouble)]),
    ...(words === undefined ? [] : [toPrintable(words)]),
    ...(backlog === undefined
      ? []
      : [sessions === 0 ? 'It is up to date with your sessions.' : `Sessions it has not received yet: ${sessions}`]),
    ...(lastTrouble === undefined
      ? []
      : [`Last failure, ${new Date(lastTrouble.at).toISOString()} (${lastTrouble.subject}): ${toPrintable(lastTrouble.why)}`]),
    ...(hasCommands === true ? [`Its own commands: hermes ${provider} --help`] : []),
  ].join('\n');
}

export const memoryOff = defineCommand({
  ...FACTS,
  name: 'memory off',
  summary: 'Use no external memory; what it knows stays where it is',
  ownerOnly: true,
  json: 'as JSON',
  examples: ['hermes memory off'],
  run: (_values, { memoryProvider }) => memoryProvider.turnOff(),
  describe: ({ was }) =>
    was === '' ? 'No external memory was in use.' : `${was} is no longer used. To use it again: hermes memory setup --provider ${was}`,
});

export const memoryExport = defineCommand({
  ...FACTS,
  name: 'memory export',
  summary: 'Write everything the external memory knows, one JSON object a line',
  arguments: { file: { kind: 'text', completes: 'file', description: 'the file to write; without one it is printed' } },
  ownerOnly: true,
  json: 'how many facts, and where they are, as JSON',
  examples: ['hermes memory export facts.jsonl', 'hermes memory export | wc -l'],
  run: async ({ file }, { memoryProvider }) => {
    const facts = await memoryProvider.exportFacts();
    const text = facts.map((fact) => `${JSON.stringify(fact)}\n`).join('');
    return file === undefined ? { count: facts.length, text } : { count: facts.length, file: writeNewFile(file, text, 'the facts') };
  },
  describe: ({ count, file, text }) =>
    file === undefined ? (text ?? '') : `${formatCount(count, 'fact')} ${count === 1 ? 'is' : 'are'} in ${file}.`,
});

export const memoryImport = defineCommand({
  ...FACTS,
  name: 'memory import',
  summary: 'Give the external memory facts from a file that memory export wrote',
  arguments: { file: { kind: 'text', required: true, completes: 'file', description: 'the file to read' } },
  ownerOnly: true,
  json: 'as JSON',
  examples: ['hermes memory import facts.jsonl'],
  run: async ({ file }, { memoryProvider }) => ({ taken: await memoryProvider.importFacts(readFacts(file)) }),
  describe: ({ taken }) => `The memory took ${formatCount(taken, 'fact')}.`,
});

/** All of it is read and checked before anything is taken. */
function readFacts(file: string): readonly ExportedFact[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(isMissing(error) ? `there is no file ${file}.` : `${file} could not be read: ${toErrorMessage(error)}`);
  }
  return text.split('\n').flatMap((line, index): ExportedFact[] => {
    if (line.trim() === '') return [];
    const fact = parseJson(line);
    if (!isObject(fact) || typeof fact['text'] !== 'string' || fact['text'].trim() === '')
      throw new UsageError(`line ${index + 1} of ${file} is not a fact: it must be a JSON object with a text. Nothing was imported.`);
    return [toFact(fact, fact['text'])];
  });
}

const NUMBERS = ['at', 'validFrom', 'validTo'] as const;
const TEXTS = ['author', 'source', 'foreign'] as const;
const SCOPES = ['platform', 'userId', 'chatId'] as const;

/** The keys we know, where they are what they should be. */
function toFact(given: Readonly<Record<string, unknown>>, text: string): ExportedFact {
  const pick = (from: Readonly<Record<string, unknown>>, keys: readonly string[], type: 'string' | 'number') =>
    Object.fromEntries(keys.flatMap((key) => (typeof from[key] === type ? [[key, from[key]]] : [])));
  const { scope } = given;
  return {
    text,
    ...pick(given, NUMBERS, 'number'),
    ...pick(given, TEXTS, 'string'),
    ...(isObject(scope) && {
      scope: {
        ...pick(scope, SCOPES, 'string'),
        ...(scope['isGroup'] === true && { isGroup: true }),
        ...(typeof scope['isOwner'] === 'boolean' && { isOwner: scope['isOwner'] }),
      },
    }),
  };
}
