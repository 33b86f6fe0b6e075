import type { NestedAction } from '../call/handed.ts';
import { toLineAction, toCommandAction } from '../call/handed.ts';
import { isUnknown, MARK } from '../values/marks.ts';
import type { CodeAct, CodeCall } from './code-call.ts';
import { flagDanger, findEvaluatedCode, findHiddenCode, findLoadedModule, findReachedAttribute } from './evaluating.ts';
import { endsProcesses } from './ending.ts';
import { runsStatement } from './statements.ts';
import { findFolderWalk } from './walking.ts';
import type { CodeToken } from './tokens.ts';
import { evaluateList, evaluateExpression } from './values.ts';

const first = ({ args, on, names }: CodeCall): string => evaluateExpression(args[0] ?? on, names);
const isList = (tokens: readonly CodeToken[] | undefined): boolean => tokens?.[0]?.type === 'mark' && /^[[(]$/.test(tokens[0].text);

/** One text is a line; a list, or a name followed by a list, is a command. */
const runs: CodeAct = (call) => {
  const handed = handsOn(call);
  return handed.some(isProgramUnknown)
    ? [...handed, ...flagDanger('hidden_code', 'its code runs a program that is only known when it runs')(call)]
    : handed;
};
const isProgramUnknown = (each: NestedAction): boolean =>
  (each.type === 'line' && each.line.trimStart().startsWith(MARK.unknown)) ||
  (each.type === 'words' && each.words[0]?.startsWith(MARK.unknown) === true);
const handsOn: CodeAct = (call) => {
  const [program, more] = call.args;
  if (program === undefined) return [];
  const cwd = cwdOf(call);
  const list = program.length === 1 && program[0]?.type === 'name' ? call.names.many?.(program[0].text) : undefined;
  if (list !== undefined && !call.mentions(/for\s+\w+\s+in\b/)) return [{ type: 'words', words: list, ...cwd }];
  if (isList(program)) return [{ type: 'words', words: evaluateList(program, call.names), ...cwd }];
  if (isList(more)) return [toCommandAction([evaluateExpression(program, call.names), ...evaluateList(more ?? [], call.names)])];
  const rest = call.args
    .slice(1)
    .filter((each) => each.every(({ type }) => type === 'text'))
    .map((each) => evaluateExpression(each, call.names));
  return rest.length > 0 ? [toCommandAction([first(call), ...rest])] : [toLineAction(first(call))];
};
/** `cwd=…` or `{ cwd: … }` among the arguments. */
function cwdOf({ args, names }: CodeCall): { readonly cwd?: string } {
  const tokens = args.flat();
  const at = tokens.findIndex(
    (token, index) => token.type === 'name' && token.text === 'cwd' && /^[=:]$/.test(tokens[index + 1]?.text ?? ''),
  );
  return at < 0
    ? {}
    : {
        cwd: evaluateExpression(
          tokens.slice(at + 2).filter(({ text }) => text !== '}'),
          names,
        ),
      };
}
/** `execvp(file, [name, …])`: the list begins with a name that does not count. */
const replaces: CodeAct = (call) => {
  const list = isList(call.args[1])
    ? evaluateList(call.args[1] ?? [], call.names)
    : call.args.slice(1).map((each) => evaluateExpression(each, call.names));
  return [toCommandAction([first(call), ...list.slice(1)])];
};
const deletesTree: CodeAct = (call) => {
  // Some take the flags of the program they are named after.
  const [path] = call.args.map((each) => evaluateExpression(each, call.names)).filter((each) => !/^-\w+$/.test(each));
  return [toCommandAction(['rm', '-rf', '--', path ?? (first(call) || MARK.unknown)])];
};
/** An archive is unpacked where it is told to, or where the program stands. */
const unpacks: CodeAct = ({ args, names }) => {
  const folder = args
    .map((each) => evaluateExpression(each, names))
    .find((each) => /^[~/.]/.test(each) && !/\.(?:zip|tar|tgz|gz|bz2|xz)$/.test(each));
  return folder === undefined ? [] : [{ type: 'file', write: `${folder}/x` }];
};
/** A whole folder is packed. */
const packs: CodeAct = ({ args, names }) => [
  toCommandAction(['tar', '-cf', '/tmp/x', ...args.map((each) => evaluateExpression(each, names)).filter((each) => /^[~/.]/.test(each))]),
];
/** Which files code deletes must be told by the code itself. */
const deletes: CodeAct = (call) => {
  const path = first(call) || MARK.unknown;
  return isUnknown(path)
    ? [{ type: 'danger', key: 'code_delete', reason: 'its code deletes files that are only known when it runs' }]
    : [toCommandAction(['rm', '-f', '--', path])];
};
const writes: CodeAct = (call) => [{ type: 'file', write: first(call) }];
const writesOn: CodeAct = (call) => [{ type: 'file', write: evaluateExpression(call.on, call.names) }];
const reads: CodeAct = (call) => [toCommandAction(['cat', '--', first(call)])];
const readsOn: CodeAct = (call) => [toCommandAction(['cat', '--', evaluateExpression(call.on, call.names)])];
/** `os.open(path, os.O_WRONLY)`. */
const opensToWrite = ({ args }: CodeCall): boolean =>
  (args[1] ?? []).some(({ text }) => /\bO_(?:WRONLY|RDWR|CREAT|TRUNC|APPEND)\b/.test(text));
const opens: CodeAct = (call) => {
  // `path.open('a')`: what it is called on is the file.
  if (call.on.length > 0 && call.args.length <= 2 && /^[rwaxbt+]{1,3}$/.test(evaluateExpression(call.args[0] ?? [], call.names)))
    return /[wax+]/.test(evaluateExpression(call.args[0] ?? [], call.names)) ? writesOn(call) : readsOn(call);
  const mode = evaluateExpression(call.args[1] ?? call.args.find((each) => each[0]?.text === 'mode') ?? [], call.names);
  const path = call.args.length === 3 && /^[+<>|-]/.test(mode) ? evaluateExpression(call.args[2] ?? [], call.names) : first(call);
  if (/^[-|]+$/.test(mode) && call.args.length >= 3) return [toLineAction(path)];
  if (/^\s*\||\|\s*$/.test(path)) return [toLineAction(path.replaceAll('|', ''))];
  return opensToWrite(call) || /[wax+>]/.test(mode) || path.startsWith('>')
    ? [{ type: 'file', write: path.replace(/^[>+\s]+/, '') }]
    : [toCommandAction(['cat', '--', path])];
};
const two =
  (...program: readonly string[]): CodeAct =>
  (call) => [toCommandAction([...program, ...call.args.slice(0, 2).map((each) => evaluateExpression(each, call.names))])];
const modes: CodeAct = (call) => [toCommandAction(['chmod', modeOf(call.args), first(call)])];
const modeOf = (args: CodeCall['args']): string => {
  const text = (args[1] ?? []).map((token) => token.text).join('');
  return /^0?o?[0-7]{3,4}$/.test(text) ? text.replace(/^0o?(?=\d{3})/, '') : '644';
};
/** In Python it runs Python, on a pattern it searches; elsewhere it hands a line to a shell. */
const isForShell = (call: CodeCall): boolean =>
  call.mentions(/child_process|execa|zx|Bun|Deno|<\?php|\bKernel\b/) ||
  (!call.name.includes('.') && !call.mentions(/\b(?:const|let|var|console|require|import|print|def|lambda)\b/));
const ifMentioned =
  (pattern: RegExp, act: CodeAct): CodeAct =>
  (call) =>
    call.mentions(pattern) ? act(call) : [];
const ifNamed =
  (pattern: RegExp, act: CodeAct): CodeAct =>
  (call) =>
    pattern.test(call.name) || call.mentions(new RegExp(`import\\s+[^;\\n]*\\b${call.name}\\b`)) ? act(call) : [];

/** What calls do, by the last part of their name. */
export const ACTS: Readonly<Record<string, CodeAct>> = {
  ...rows(
    runs,
    'system popen popen2 popen3 getoutput getstatusoutput shell_exec passthru execSync Popen check_output check_call spawnSync execFileSync execFile proc_open capture2 capture3 capture2e pipeline_r create_subprocess_shell create_subprocess_exec popen2e execa execaSync execaCommand execaCommandSync',
  ),
  run: ifMentioned(/subprocess|Deno|Command/, runs),
  call: ifMentioned(/subprocess/, runs),
  do: (call) => (/->/.test(call.name) ? runsStatement(call) : []),
  spawn: (call) => (/pty/.test(call.name) && call.mentions(/socket/) ? [] : runs(call)),
  exec: (call) => [...runsStatement(call), ...(isForShell(call) ? [...findHiddenCode(call), ...runs(call)] : findEvaluatedCode(call))],
  ...rows(replaces, 'execv execve execvp execvpe execl execle execlp execlpe posix_spawn spawnv spawnvp pcntl_exec'),
  ...rows(
    deletesTree,
    'rmtree rm_rf rm_r remove_dir remove_entry remove_entry_secure removeSync rimraf rimrafSync rmSync rm removedirs remove_tree emptyDirSync emptyDir deltree rmdirSync rmdir rmrf trash remove_dir_all',
  ),
  ...rows(findFolderWalk, 'walk fwalk scandir listdir iterdir rglob readdirSync readdir Find.find finddepth'),
  ...rows(deletes, 'unlink unlinkSync safe_unlink send2trash'),
  remove: ifNamed(/^(?:os|fs|File|Deno)\b/, deletesTree),
  delete: ifNamed(/^(?:File|Dir|FileUtils)\b/, deletes),
  ...rows(
    writes,
    'writeFileSync writeFile appendFileSync appendFile createWriteStream file_put_contents outputFileSync truncate truncateSync touch mknod writeTextFile',
  ),
  write: ifNamed(/^(?:File|IO)\b/, writes),
  ...rows(writesOn, 'write_text write_bytes'),
  ...rows(reads, 'readFileSync readFile file_get_contents readlines_file readTextFile readfile'),
  read: ifNamed(/^(?:File|IO)\b/, reads),
  ...rows(readsOn, 'read_text read_bytes'),
  ...rows(opens, 'open fopen openSync sysopen'),
  ...rows(two('cp', '-r'), 'copyfile copy copy2 copytree copyFileSync copyFile cpSync cp cp_r'),
  replace: ifNamed(/^os\b/, two('mv')),
  ...rows(unpacks, 'extractall unpack_archive extract_all extractTo unpack'),
  ...rows(packs, 'make_archive'),
  ...rows(two('mv'), 'move rename renameSync renames mv'),
  ...rows(two('ln', '-s'), 'symlink symlinkSync'),
  ...rows(modes, 'chmod chmodSync chmod_R fchmod'),
  ...rows(two('chown'), 'chown chownSync chown_R'),
  kill: ifNamed(/^(?:os|process|Process|posix|)\b/, endsProcesses),
  fork: (call) =>
    call.args[0]?.[0]?.type === 'text'
      ? [toCommandAction(['node', first(call)])]
      : call.mentions(/\bwhile\b|\bfor\s*\(\s*;;|\bloop\b|\buntil\b|\brange\s*\(\s*\d{4}/) &&
          !call.mentions(/waitpid|_exit\b|child_process/)
        ? [{ type: 'danger', key: 'fork_bomb', reason: 'it starts processes without end', floor: true }]
        : [],
  dup2: flagDanger('reverse_shell', 'it ties a shell to a connection'),
  ...rows(findEvaluatedCode, 'eval Function instance_eval class_eval create_function runInThisContext runInNewContext'),
  ...rows(findLoadedModule, 'require __import__ import_module dofile loadfile'),
  compile: (call) => (call.name === 'compile' ? findHiddenCode(call) : []),
  assert: ifMentioned(/<\?php|\$\w+\s*=/, findHiddenCode),
  ...rows(
    runsStatement,
    'execute executescript executemany exec_driver_sql execute_batch query prepare executeSql exec_query $executeRawUnsafe',
  ),
  getattr: findReachedAttribute,
};

function rows(act: CodeAct, names: string): Record<string, CodeAct> {
  return Object.fromEntries(names.split(' ').map((name) => [name, act]));
}
