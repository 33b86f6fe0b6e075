import { UsageError } from '../base/errors.ts';
import { isObject } from '../base/json.ts';
import { toPrintable } from '../base/printable.ts';
import { toVisibleLine } from '../base/visible.ts';
import type { AnyCommand, CommandContext } from '../contracts/command.ts';
import type { AgentEvent } from '../contracts/event.ts';
import { defineCommand } from '../contracts/services/define-command.ts';
import { findSession, SESSION_REF } from './find-session.ts';

/** What the setting `quick_commands` makes: commands that run without the model, and other names. */
export interface QuickCommands {
  readonly commands: readonly AnyCommand[];
  /** Other words for a line, by their names. */
  readonly aliases: ReadonlyMap<string, string>;
  /** What of the setting cannot be used, and why. */
  readonly problems: readonly string[];
}

const NAME = /^[a-z0-9][a-z0-9_-]{0,39}$/;

/** Reads the setting. A name that is taken by a command of ours keeps that meaning. */
export function readQuickCommands(setting: Readonly<Record<string, unknown>>, taken: ReadonlySet<string>): QuickCommands {
  const [commands, aliases, problems] = [[] as AnyCommand[], new Map<string, string>(), [] as string[]];
  for (const [written, entry] of Object.entries(setting)) {
    const name = written.replace(/^\//, '').toLowerCase();
    const read = readEntry(entry);
    const why = !NAME.test(name) ? 'its name may have a-z, 0-9, - and _' : taken.has(name) ? `/${name} is a command of hermes` : read.why;
    if (why !== undefined || read.quick === undefined) problems.push(`quick_commands.${toVisibleLine(written)} is not used: ${why ?? ''}.`);
    else {
      commands.push(read.quick.type === 'exec' ? shellCommand(name, read.quick.words) : aliasCommand(name, read.quick.words));
      if (read.quick.type === 'alias') aliases.set(name, read.quick.words);
    }
  }
  return { commands, aliases, problems };
}

type QuickCommand = { readonly type: 'exec' | 'alias'; readonly words: string };

function readEntry(entry: unknown): { readonly quick?: QuickCommand; readonly why?: string } {
  if (!isObject(entry)) return { why: 'write {type: exec, command: …} or {type: alias, target: …}' };
  const { type, command, target } = entry;
  if (type === 'exec')
    return typeof command === 'string' && command.trim() !== '' ? { quick: { type, words: command } } : { why: 'its command is missing' };
  if (type === 'alias')
    return typeof target === 'string' && target.trim() !== ''
      ? { quick: { type, words: target.trim() } }
      : { why: 'its target is missing' };
  return { why: 'its type is neither exec nor alias' };
}

/** How often one alias may lead to another. */
const MAX_HOPS = 5;

/** The line that an alias stands for, with what was typed behind it; the line itself where it is none. */
export function expandAliases(line: string, aliases: ReadonlyMap<string, string>): string {
  let [here, hops] = [line, 0];
  for (;;) {
    const [, name = '', rest = ''] = /^\s*\/([^\s/@]+)(?:\s+([\s\S]*))?$/.exec(here) ?? [];
    const target = aliases.get(name.toLowerCase());
    if (target === undefined || !target.startsWith('/')) return here;
    if (++hops > MAX_HOPS) throw new UsageError(`/${toVisibleLine(name)} leads to itself; correct quick_commands in config.yaml.`);
    here = rest === '' ? target : `${target} ${rest}`;
  }
}

const SESSION = { ...SESSION_REF, session: 'there is no session yet; send a message first.', begins: true } as const;
const REST = { kind: 'text', prose: true, placeholder: 'words', description: 'what follows it' } as const;

/** Runs in the session's terminal, through the same door as a command of the model; the model never hears of it. */
const shellCommand = (name: string, command: string): AnyCommand =>
  defineCommand({
    name,
    category: 'quick',
    summary: `Run: ${toVisibleLine(command)}`,
    arguments: { session: SESSION },
    where: ['terminal', 'chat'],
    whileBusy: 'queue',
    ownerOnly: true,
    examples: [`/${name}`],
    needs: ['store', 'openSession'],
    run: async ({ session: ref }, { store, openSession }, { report, signal }: CommandContext<AgentEvent>) => {
      const events = (await openSession(await findSession(ref, store))).shell(command, signal);
      for (;;) {
        const { value, done } = await events.next();
        if (done === true) return value;
        report(value);
      }
    },
    describe: ({ output }) => toPrintable(output),
  });

/** Another name for a line. One for a command is expanded before it is run; one for words sends them. */
const aliasCommand = (name: string, target: string): AnyCommand =>
  defineCommand({
    name,
    category: 'quick',
    summary: target.startsWith('/') ? `The same as ${toVisibleLine(target)}` : `Send: ${toVisibleLine(target)}`,
    arguments: { session: { kind: 'text', description: SESSION_REF.description, session: '' }, words: REST },
    where: ['terminal', 'chat'],
    whileBusy: 'queue',
    examples: [`/${name}`],
    run: async ({ words = '' }, _services, { followUp }) => {
      const text = words === '' ? target : `${target} ${words}`;
      followUp?.({ type: 'send', message: { role: 'user', content: [{ type: 'text', text, trust: 'owner' }] } });
      return {};
    },
    describe: () => '',
  });
