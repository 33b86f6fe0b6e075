import { stripTrailingGlobs, isGuarded, resolveTargetPath } from '../places/paths.ts';
import { MARK } from '../values/marks.ts';
import type { Call } from '../call/call.ts';
import { type NestedAction, type FindNestedActions, toCommandAction } from '../call/handed.ts';

/** Tests that leave something out, unless they are turned round. */
const FILTER =
  /^-(?:i?name|i?path|i?wholename|i?regex|empty|[acm]time|[acm]min|newer\w*|anewer|cnewer|size|perm|user|nouser|inum|links|samefile)$/;
const RUNS = new Set(['-exec', '-execdir', '-ok', '-okdir']);
/** Commands of one `find`; a line with more is rather asked about. */
const MAX_RUNS = 20;
/** Options that take the next word. */
const VALUED = new Set(
  '-t --type -e --extension -E --exclude -d --max-depth --min-depth -S --size -j --changed-within --changed-before -o --owner'.split(' '),
);

const findRoots = (args: readonly string[]): string[] => {
  const start = args.findIndex((word) => !/^-(?:[HLP]|O\d|D)$/.test(word));
  const rest = start < 0 ? [] : args.slice(start);
  const end = rest.findIndex((word) => /^[-(!]/.test(word));
  const roots = end < 0 ? rest : rest.slice(0, end);
  return roots.length === 0 ? ['.'] : roots;
};

/** Whether only some of what lies below is meant. */
function isFiltered(args: readonly string[]): boolean {
  // What stands behind an `or` of its own is done to everything the tests before it leave over.
  if (args.some((word, index) => /^-(?:delete|exec|execdir|ok|okdir)$/.test(word) && /^(?:-o|-or|,)$/.test(args[index - 1] ?? '')))
    return false;
  return args.some((word, index) => {
    const before = args[index - 1];
    return (
      FILTER.test(word) &&
      before !== '!' &&
      before !== '-not' &&
      args[index + 2] !== '-prune' &&
      !/^[*\uE001?]+$/.test(args[index + 1] ?? '')
    );
  });
}

/** Whether what is meant is told by its name. */
const isNamed = (args: readonly string[]): boolean =>
  args.some(
    (word, index) =>
      /^-(?:i?name|i?path|i?wholename|i?regex|empty|inum|samefile|links|xtype)$/.test(word) &&
      !/^(?:!|-not)$/.test(args[index - 1] ?? '') &&
      args[index + 2] !== '-prune',
  );

/** What `find` names below each root: the root itself, too, when nothing is left out or when it is too near the top to matter. */
export const findMatches = ({ args, place }: Call): string[] => {
  const some = isFiltered(args) || args.includes('-mindepth');
  return findRoots(args).map((root) => {
    const path = resolveTargetPath(root, place);
    const deep = path !== undefined && (path.split('/').length > 2 || !isGuarded(stripTrailingGlobs(path), place)) && path !== place.home;
    // Of what lies right here, an age or a size leaves out too little to be sure of.
    if (path === place.base && !isNamed(args)) return root;
    return some && deep && isFiltered(args) ? `${root.replace(/\/+$/, '')}/${nameIn(args)}` : root;
  });
};

/** The same by the name that is looked for, however near to the top. */
export const findByName = ({ args }: Call): string[] =>
  /[\w.]/.test(nameIn(args)) ? findRoots(args).map((root) => `${root.replace(/\/+$/, '')}/${nameIn(args)}`) : [];

/** What lies in a folder that is looked through without a name: files, whatever they are called. */
const below = ({ args }: Call): string[] =>
  isFiltered(args) ? [] : findRoots(args).map((root) => `${root.replace(/\/+$/, '')}/${MARK.name}`);

/** The name `find` looks for, its globs marked; any name when it looks for none or for several. */
function nameIn(args: readonly string[]): string {
  const names = args.filter((_, index) => /^-i?name$/.test(args[index - 1] ?? '') && !/^(?:!|-not)$/.test(args[index - 2] ?? ''));
  const [name = ''] = names;
  return names.length !== 1 || !/[\w.]/.test(name) ? MARK.name : name.replaceAll(/\*+/g, MARK.name).replaceAll('?', MARK.one);
}

/** `find … -exec`, `-delete` and the files it writes. */
export const findFindCommands: FindNestedActions = (call) => {
  const { args } = call;
  if (args.filter((word) => RUNS.has(word)).length > MAX_RUNS)
    return [{ type: 'danger', key: 'unreadable', reason: 'it runs more commands than can be read' }];
  const each = findMatches(call);
  const handed: NestedAction[] = args.includes('-delete') ? [toCommandAction(['rm', '-rf', '--', ...each])] : [];
  for (const [at, word] of args.entries()) {
    if (/^-f(?:print0?|printf|ls)$/.test(word)) handed.push({ type: 'file', write: args[at + 1] ?? '' });
    if (!RUNS.has(word)) continue;
    const end = args.findIndex((mark, index) => index > at && (mark === ';' || (mark === '+' && args[index - 1] === '{}')));
    const command = args.slice(at + 1, end < 0 ? args.length : end);
    handed.push(...[...new Set([...each, ...findByName(call), ...below(call)])].map((path) => toCommandAction(fillPath(command, path))));
  }
  return handed;
};

export const fillPath = (command: readonly string[], path: string, hole = '{}'): string[] =>
  command.map((word) => word.replaceAll(hole, () => path));

/** `fd … -x`: the same with other names. */
export const findFdCommands: FindNestedActions = ({ args }) => {
  const at = args.findIndex((word) => /^(?:-[xX]|--exec(?:-batch)?)$/.test(word));
  const roots = args.slice(0, at).filter((word, index) => !word.startsWith('-') && !VALUED.has(args[index - 1] ?? ''));
  const root = roots[1];
  const command = args.slice(at + 1);
  if (at < 0) return [];
  const name = /\.env|\.pem|\.key|id_(?:rsa|ed)|secret|credential/i.test(roots[0] ?? '') ? '.env' : MARK.name;
  const path = root === undefined ? name : `${root}/${name}`;
  return [toCommandAction(command.some((word) => word.includes('{')) ? fillPath(command, path) : [...command, path])];
};
