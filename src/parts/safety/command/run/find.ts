import { stripTrailingGlobs, isGuarded, resolveTargetPath } from '../places/paths.ts';
import { MARK } from '../values/marks.ts';
import { type Call, type FindNestedActions, type NestedAction, toCommandAction } from '../call/call.ts';

/** Tests that leave something out: by name, or otherwise. */
const NAMED = /^-(?:i?name|i?path|i?wholename|i?regex|empty|inum|samefile|links|xtype)$/;
const FILTER =
  /^-(?:i?name|i?path|i?wholename|i?regex|empty|[acm]time|[acm]min|newer\w*|anewer|cnewer|size|perm|user|nouser|inum|links|samefile)$/;
const RUNS = /^-(?:exec|execdir|ok|okdir)$/;

const findRoots = (args: readonly string[]): string[] => {
  const rest = args.slice(args.findIndex((word) => !/^-(?:[HLP]|O\d|D)$/.test(word)));
  const end = rest.findIndex((word) => /^[-(!]/.test(word));
  const roots = end < 0 ? rest : rest.slice(0, end);
  return roots.length === 0 ? ['.'] : roots;
};
/** Whether such a test holds, turned round by nothing. */
const tests = (args: readonly string[], test: RegExp): boolean =>
  args.some(
    (word, at) =>
      test.test(word) && !/^(?:!|-not)$/.test(args[at - 1] ?? '') && args[at + 2] !== '-prune' && !/^[*\uE001?]+$/.test(args[at + 1] ?? ''),
  );
/** Whether only some of what lies below is meant. Behind an `or` of its own, a command is run for all that the tests leave over. */
const isFiltered = (args: readonly string[]): boolean =>
  !args.some((word, at) => (word === '-delete' || RUNS.test(word)) && /^(?:-o|-or|,)$/.test(args[at - 1] ?? '')) && tests(args, FILTER);

/** The name `find` looks for, its globs marked; any name when it looks for none or for several. */
function nameIn(args: readonly string[]): string {
  const names = args.filter((_, at) => /^-i?name$/.test(args[at - 1] ?? '') && !/^(?:!|-not)$/.test(args[at - 2] ?? ''));
  const [name = ''] = names;
  return names.length !== 1 || !/[\w.]/.test(name) ? MARK.name : name.replaceAll(/\*+/g, MARK.name).replaceAll('?', MARK.one);
}
const below = (root: string, name: string): string => `${root.replace(/\/+$/, '')}/${name}`;

/** What `find` names below each root: the root itself, too, when nothing is left out or when it is too near the top to matter. */
export const findMatches = ({ args, place }: Call): string[] =>
  findRoots(args).map((root) => {
    const path = resolveTargetPath(root, place);
    const deep = path !== undefined && (path.split('/').length > 2 || !isGuarded(stripTrailingGlobs(path), place)) && path !== place.home;
    // Of what lies right here, an age or a size leaves out too little to be sure of.
    if (path === place.base && !tests(args, NAMED)) return root;
    return deep && isFiltered(args) ? below(root, nameIn(args)) : root;
  });
/** The same by the name that is looked for, however near to the top. */
export const findByName = ({ args }: Call): string[] =>
  /[\w.]/.test(nameIn(args)) ? findRoots(args).map((root) => below(root, nameIn(args))) : [];

/** `find … -exec` and `-delete`. */
export const findFindCommands: FindNestedActions = (call) => {
  const { args } = call;
  const files = isFiltered(args) ? [] : findRoots(args).map((root) => below(root, MARK.name));
  const each = [...new Set([...findMatches(call), ...findByName(call), ...files])];
  // Up to its end everything is of one command: what looks like a further action in there is judged with that command.
  let over = 0;
  return args.flatMap((word, at): NestedAction[] => {
    if (at < over) return [];
    if (word === '-delete') return [toCommandAction(['rm', '-rf', '--', ...findMatches(call)])];
    if (!RUNS.test(word)) return [];
    const end = args.findIndex((mark, index) => index > at && (mark === ';' || (mark === '+' && args[index - 1] === '{}')));
    over = end < 0 ? args.length : end;
    const command = args.slice(at + 1, over);
    return each.map((path) => toCommandAction(fillPath(command, path)));
  });
};

export const fillPath = (command: readonly string[], path: string, hole = '{}'): string[] =>
  command.map((word) => word.replaceAll(hole, () => path));

/** `fd … -x`: the same with other names. */
export const findFdCommands: FindNestedActions = ({ args }) => {
  const at = args.findIndex((word) => /^(?:-[xX]|--exec(?:-batch)?)$/.test(word));
  if (at < 0) return [];
  const valued = /^(?:-[teEdSjo]|--(?:type|extension|exclude|max-depth|min-depth|size|changed-within|changed-before|owner))$/;
  const [sought = '', root] = args.slice(0, at).filter((word, index) => !word.startsWith('-') && !valued.test(args[index - 1] ?? ''));
  const name = /\.env|\.pem|\.key|id_(?:rsa|ed)|secret|credential/i.test(sought) ? '.env' : MARK.name;
  const path = root === undefined ? name : `${root}/${name}`;
  const command = args.slice(at + 1);
  return [toCommandAction(command.some((word) => word.includes('{')) ? fillPath(command, path) : [...command, path])];
};
