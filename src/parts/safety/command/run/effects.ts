import { findRow, toRows } from '../../../../base/word-tables.ts';
import { basename, resolve } from 'node:path';
import { resolveTargetPath } from '../places/paths.ts';
import { uniteChoices, type Choices, fromOutside, hasMarks, MARK, UNKNOWN } from '../values/marks.ts';
import { type Call, toProgramName } from '../call/call.ts';
import { noteMade } from './made.ts';
import type { Shell } from './shell.ts';
import { type ShellState, withFolders } from './state.ts';

interface StateAfter {
  readonly good?: ShellState | undefined;
  readonly bad?: ShellState | undefined;
}
type CallEffect = (shell: Shell, call: Call) => StateAfter | undefined;

const dropFlags = ({ args }: Call): string[] => args.filter((word) => !/^-./.test(word));

/** What commands leave behind in the shell and on the disk, for the rest of the line. */
const EFFECTS: Readonly<Record<string, CallEffect>> = {
  ...toRows('cd pushd', goes),
  ...toRows('export declare typeset local readonly', declares),
  ...toRows('cp mv install', copies),
  ...toRows('exit return', () => ({})),
  ...toRows('mapfile readarray', (shell, call) => forEachItem(dropFlags(call), (name) => shell.set(name, READ))),
  popd: (shell) => ({ good: withFolders(shell.state, [undefined]) }),
  unset: (shell, call) => forEachItem(dropFlags(call), (name) => shell.set(name, undefined)),
  read: (shell, call) => forEachItem(namesOf(call), (name, all) => shell.set(name, all > 1 ? READ : lines(call))),
  set: (shell, call) => {
    const { args } = call;
    if (args.some((word) => /^-[a-z]*e/.test(word)) || args.includes('errexit')) shell.state = { ...shell.state, strict: true };
    const rest = args.includes('--') ? args.slice(args.indexOf('--') + 1) : undefined;
    if (rest === undefined) return undefined;
    for (const [index, name] of '12345'.split('').entries()) shell.set(name, [[rest[index] ?? '']]);
    shell.set('@', [rest]);
    return undefined;
  },
  shift: (shell) => forEachItem('@*123456789'.split(''), (name) => (shell.state.values.has(name) ? shell.set(name, UNKNOWN) : undefined)),
  alias: (shell, { args }) =>
    forEachItem(args, (word) => {
      if (word.includes('=')) shell.aliases.set(word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1));
    }),
  printf: (shell, { args }) => (args[0] === '-v' ? forEachItem(args.slice(1, 2), (name) => shell.set(name, UNKNOWN)) : undefined),
  mkdir: (shell, call) => forEachItem(dropFlags(call), (word) => withPath(call, word, (path) => shell.folders.add(path))),
  ln: (shell, call) =>
    pairs(call, (from, to) => {
      if (call.args.some((word) => /^-[a-z]*s|^--symbolic/.test(word)) || from.startsWith('/')) shell.links.set(to, from);
      named(shell, to, from);
    }),
};

/** The states after a call: what it changed when it went well, nothing when it did not. */
export function applyCallEffects(shell: Shell, call: Call): StateAfter {
  const effect = findRow(EFFECTS, call.name);
  noteMade(shell.made, call);
  return effect?.(shell, call) ?? { good: shell.state, bad: shell.state };
}

function forEachItem<Item>(items: readonly Item[], act: (item: Item, all: number) => unknown): undefined {
  for (const item of items) act(item, items.length);
  return undefined;
}
function withPath({ place }: Call, word: string, act: (path: string) => unknown): void {
  if (place.cwd !== undefined && !hasMarks(word)) act(resolve(place.cwd, word));
}

function goes(shell: Shell, call: Call): StateAfter {
  const folder = call.args.find((word) => !/^-./.test(word)) ?? '~';
  const path = folder === '-' ? undefined : resolveTargetPath(folder, call.place);
  const good = withFolders(shell.state, [path]);
  // Going on where one stands is what happens when the folder is not there.
  const sure = path !== undefined && (isSure(path, call) || shell.folders.has(path));
  return sure ? { good } : { good, bad: shell.state };
}
const isSure = (path: string, { place }: Call): boolean =>
  path === '/' ||
  path === '/tmp' ||
  path === place.home ||
  `${place.base}/`.startsWith(`${path}/`) ||
  place.look?.(path)?.kind === 'folder';

function declares(shell: Shell, call: Call): undefined {
  const { args } = call;
  const changes = args.some((word) => /^-[a-zA-Z]*[nlu]/.test(word));
  for (const word of args) {
    const [, name, value = ''] = /^(\w+)\+?=([^]*)$/.exec(word) ?? [];
    if (name !== undefined) shell.set(name, changes || value.startsWith('(') ? UNKNOWN : [[value]]);
  }
  return undefined;
}

/** `read -r -p text a b`: the names at its end. */
const namesOf = ({ args }: Call): string[] => {
  const names = args.filter((word, index) => /^[A-Za-z_]\w*$/.test(word) && !/^-[a-zA-Z]*[dinNptu]$/.test(args[index - 1] ?? ''));
  return names.length === 0 ? ['REPLY'] : names;
};
const lines = ({ fed }: Call): Choices =>
  fed.length === 0
    ? READ
    : uniteChoices(
        fed
          .flatMap((text) => text.split('\n'))
          .filter((text) => text !== '')
          .map((text) => [fromOutside(text)]),
      );
/** What somebody enters, or a file says. */
const READ: Choices = [[MARK.unknown + MARK.outside]];

function pairs(call: Call, act: (from: string, to: string) => void): undefined {
  const [from, to] = dropFlags({
    ...call,
    args: call.args.filter((_, index) => !/^(?:-[mogS]|--(?:mode|owner|group|suffix))$/.test(call.args[index - 1] ?? '')),
  });
  if (from === undefined) return undefined;
  withPath(call, to ?? basename(from), (path) => {
    const source = /^[./~]/.test(from) || !/^\w+$/.test(from) ? (resolveTargetPath(from, call.place) ?? from) : from;
    act(source, path);
    if (to !== undefined && /\/$|^\.{1,2}$/.test(to)) act(source, resolve(path, basename(from)));
  });
  return undefined;
}
/** Under its new path, and by its bare name, which the search path may find. */
function named(shell: Shell, to: string, from: string): void {
  // What is secret stays so under another name.
  if (
    /\/\.(?:env|ssh|aws|gnupg)(?:[./]|$)|\.pem$|\/id_/.test(from) &&
    from.startsWith('/') &&
    !/\.(?:example|sample|template|dist|pub)$/.test(from)
  )
    shell.links.set(to, from);
  shell.programs.set(to, toProgramName(from));
  shell.programs.set(toProgramName(to), toProgramName(from));
}
function copies(shell: Shell, call: Call): undefined {
  return pairs(call, (from, to) => {
    named(shell, to, from);
    const texts = /^\/dev\/(?:stdin|fd\/0)$/.test(from) ? call.fed : shell.textsOf(from, call.place.cwd);
    if (texts !== undefined) shell.remember(to, texts);
  });
}
