import { isInside, resolveTargetPath } from '../places/paths.ts';
import type { Call, CommandRule } from '../call/call.ts';
import { isMadeAgain, isStrong, isVerbLike, soundsLikeLoss, soundsLikeOpening } from './loss.ts';
import { ask, toWordSet, listOperands } from './rows.ts';

/** It says how it is called, or tries. */
export const isHelpOrDryRun = (args: readonly string[]): boolean =>
  args.some((word) => /^--(?:help|dry-run)$/.test(word)) || (args.length === 1 && /^(?:-h|-V|--version|version|help)$/.test(args[0] ?? ''));
/** A program of the project itself: whoever works on it knows what it does. */
export const isOwn = ({ path, place }: Call): boolean => path.includes('/') && isInside(resolveTargetPath(path, place) ?? '/', place);

/** Tasks of a project that by their name lose data or reach what others use. */
const RUNNERS = toWordSet(`
  make gmake just task go-task mage rake invoke inv nox npm yarn pnpm bun deno gradle gradlew mvn composer poe doit thor mix cargo turbo
  nx ant pdm hatch bazel bazelisk buck2 pants
`);
const LASTING_DATA =
  /(?:^|[:_.-])(?:db|dbs|database|databases|data|prod|production|live|infra|infrastructure|stack|cluster|tf|terraform|volumes?|env|environment|backups?|everything|bucket|queue|users?)(?:$|[:_.-])/i;
const FOR_TESTS = /(?:^|[:_.-])(?:test|tests|testing|e2e|ci|fixtures?)(?:$|[:_.-])/i;
/** Tasks that by their bare name reach everybody, the tools in which they are nothing else, and words for where nobody is reached. */
const RELEASES = /^(?:release|publish|deploy)$/;
const NAMES_TASKS = toWordSet('npm yarn pnpm bun just task');
const NEARBY = /(?:^|[=:_.-])(?:dev|development|test|testing|staging|stage|preview|local|localhost|sandbox)(?:$|[:_.-])/i;
/** Scripts that by their names say what they take away: `wipe_bucket`, `users-purge`. */
const WIPES =
  /(?:^|[_-])(?:wipe|nuke|destroy|purge|teardown|obliterate)[_-]\w|\w[_-](?:wipe|nuke|destroy|purge|teardown|obliterate)(?:\.|$)/i;
/** A program among the tests tries what it is named after. */
const IN_TESTS = /(?:^|\/)(?:tests?|specs?|__tests__|e2e)\//;
const RUNS_SCRIPTS = /^(?:python|node|ruby|php|perl|tsx|ts-node|bun|deno|(?:ba|z|da|k)?sh)[\d.]*$/;
/** The script of the project a call runs: by itself, or as the first word of an interpreter. */
const scriptOf = (call: Call): string[] => {
  const file = isOwn(call) ? call.name : RUNS_SCRIPTS.test(call.name) ? call.args.find((word) => word !== 'run') : undefined;
  return file === undefined || file.startsWith('-') || /[\s:]/.test(file) ? [] : [file.replace(/^.*\//, '')];
};
/** One migration back, which the next run of it brings again. */
const ONE_STEP = /^db:rollback$/;
const OTHERS = /(?:^|[:_.-])(?:prod|production|live)(?:$|[:_.-])/i;

/** Scripts and tasks of the project, by what they are called and told. */
export const TASKS: readonly CommandRule[] = [
  ask(
    'task_loss',
    'it tells a script of the project to destroy or uninstall something',
    (_name, args, call) =>
      isOwn(call) &&
      !isHelpOrDryRun(args) &&
      listOperands(args)
        .slice(0, 2)
        .some((word) => isVerbLike(word) && !/\.\w{1,4}$/.test(word) && isStrong(word)),
  ),
  ask(
    'task_loss',
    'by its name this task of the project loses data or changes what others use',
    (name, args) =>
      RUNNERS.has(name) &&
      !isHelpOrDryRun(args) &&
      !args.some((word) => /^(?:-n|--just-print|--list|--dry|-T)$/.test(word)) &&
      listOperands(args)
        // A label of a build tool ends with the name of its target.
        .map((word) => word.replace(/^\/\/.*[:/]/, ''))
        .filter((word) => /^[A-Za-z][\w:.-]*$/.test(word) && !/\.\w{1,4}$/.test(word))
        .slice(0, 4)
        .some(
          (word) =>
            (soundsLikeLoss(word) && LASTING_DATA.test(word) && !FOR_TESTS.test(word) && !ONE_STEP.test(word)) ||
            (soundsLikeOpening(word) && OTHERS.test(word)) ||
            /^(?:nuke|destroy|teardown|tear-down|wipe|purge)$/.test(word),
        ),
  ),
  ask(
    'task_loss',
    'by its name this script wipes or destroys something',
    (_name, args, call) =>
      !isHelpOrDryRun(args) &&
      !args.some((word) => /^(?:-n|--dry|--list|-h)$/.test(word)) &&
      !IN_TESTS.test(call.path) &&
      scriptOf(call).some((file) => WIPES.test(file) && !isMadeAgain(file) && !FOR_TESTS.test(file)),
  ),
  ask(
    'task_loss',
    'by its name it puts the work where others use it',
    (name, args, call) =>
      !isHelpOrDryRun(args) &&
      !args.some((word) => /^(?:-n|--just-print|--list|--dry|--check|--plan)$/.test(word) || NEARBY.test(word)) &&
      (isOwn(call)
        ? RELEASES.test(name.replace(/\.\w+$/, ''))
        : (NAMES_TASKS.has(name) &&
            listOperands(args)
              .slice(0, 2)
              .some((word) => RELEASES.test(word))) ||
          (/^g?make$/.test(name) && args.some((word) => /^(?:deploy|publish)$/.test(word)))),
  ),
  ask(
    'task_loss',
    'by its name this script or task of the project changes what others use',
    (name, args, call) =>
      (RUNNERS.has(name) || isOwn(call)) &&
      !isHelpOrDryRun(args) &&
      !args.some((word) => /^(?:-n|--just-print|--list|--dry|--check|--plan)$/.test(word)) &&
      [...(isOwn(call) ? [name] : []), ...listOperands(args).slice(0, 3)].some((word) => soundsLikeOpening(word) || soundsLikeLoss(word)) &&
      args.some((word) => /(?:^|=)(?:prod|production|live)$/i.test(word)),
  ),
];
