import { isGuarded, resolveTargetPath } from '../places/paths.ts';
import type { ShellContext } from '../places/shell-context.ts';
import { isStartup } from '../places/sensitive.ts';
import type { Call, CommandRule } from '../call/call.ts';
import { unwrapCommand } from '../run/wrappers.ts';
import { hintsAtLoss, isForce, isMadeAgain, isVerbLike, soundsLikeLoss, soundsLikeOpening } from './loss.ts';
import { ask, listOperands, listFlagValues } from './rows.ts';
import { CLOUDS } from './vendors/clouds.ts';
import { CLUSTERS } from './vendors/clusters.ts';
import { ENGINES } from './vendors/containers.ts';
import { DEVICES } from './vendors/devices.ts';
import { FORGES } from './vendors/forges.ts';
import { HERMES } from './vendors/hermes.ts';
import { INFRASTRUCTURE, SERVICES } from './vendors/infrastructure.ts';
import { DISKS, FIREWALLS, MACHINE, MOUNTS } from './vendors/machine.ts';
import { PLATFORMS } from './vendors/platforms.ts';
import { SOFTWARE } from './vendors/software.ts';
import { STORAGE } from './vendors/storage.ts';
import { STORES } from './vendors/stores.ts';
import { NPM, PYPI } from './popular.ts';
import { isOwn, isHelpOrDryRun } from './tasks.ts';
import { EVERYDAY } from './vocabulary.ts';
import { WORKSHOP } from './workshop.ts';

const WITH_WAYS: ReadonlySet<string> = new Set(
  [
    CLOUDS,
    CLUSTERS,
    DEVICES,
    ENGINES,
    FORGES,
    HERMES,
    INFRASTRUCTURE,
    SERVICES,
    PLATFORMS,
    DISKS,
    FIREWALLS,
    MACHINE,
    MOUNTS,
    SOFTWARE,
    STORAGE,
    STORES,
  ]
    .flatMap((table) => Object.keys(table))
    .flatMap((names) => names.split(' ')),
);
/** `python3.12` and `gcc-13` are python and gcc. */
const plain = (name: string): string => name.replace(/[-.]?\d[\d.]*$/, '');
const isFamiliar = ({ name, args }: Call): boolean =>
  [name, plain(name)].some((each) => EVERYDAY.has(each) || WORKSHOP.has(each) || WITH_WAYS.has(each)) ||
  unwrapCommand(name, args) !== undefined;

/** A name everybody knows says nothing, and neither does that of a file somebody has just built. */
const nameIn = ({ name, path }: Call): string[] => (NPM.has(name) || PYPI.has(name) || path.startsWith('/tmp/') ? [] : [name]);
const isUnfamiliar = (call: Call): boolean =>
  /^[A-Za-z][\w.+-]*$/.test(call.name) && !isFamiliar(call) && !isOwn(call) && !isHelpOrDryRun(call.args);

/** Verbs stand before names and files: the first few words, those behind a flag for them, and the first of each line it is fed. */
const MAX_VERBS = 3;
const TOLD = /^(?:-[qecxsk]|-rx|--(?:query|eval|execute|command|exec|action|op|operation|method|verb|signal))$/;
const linesOf = (text: string): string[] => (text.length > 5000 ? [] : text.split(/[;\n]/));
function verbsOf({ args, fed, reads }: Call): string[] {
  const told = listFlagValues(args, TOLD).flatMap((text) => text.trim().split(/\s+/).slice(0, 4));
  const lines = reads.length > 0 ? [] : fed.flatMap(linesOf).map((line) => line.trim().split(/\s+/)[0] ?? '');
  const words = listOperands(args).slice(0, MAX_VERBS);
  return words.some(isMadeAgain) ? [] : [...words, ...told, ...lines].filter(isVerbLike);
}
const longFlags = (args: readonly string[]): string[] =>
  args.filter((word) => /^--?[a-zA-Z][\w-]+/.test(word)).map((word) => word.replace(/=.*$/s, ''));

const isSensitive = (word: string, place: ShellContext): boolean => {
  if (!/^(?:[~/]|\.\.?(?:\/|$))/.test(word) || word === '.' || word === './') return false;
  const path = resolveTargetPath(word, place);
  return path !== undefined && (isGuarded(word, place) || (isStartup(path, place) && !path.startsWith('/etc/')));
};

/** What nobody has said anything about yet, and sounds as if something would be lost or opened by it. */
export const UNFAMILIAR: readonly CommandRule[] = [
  ask(
    'unfamiliar',
    'it is a program nobody knows here, and by its words it deletes, resets or switches something off',
    (_name, args, call) =>
      isUnfamiliar(call) &&
      ([...nameIn(call), ...verbsOf(call)].some(hintsAtLoss) || longFlags(args).some(soundsLikeLoss) || args.some(isForce)),
  ),
  ask(
    'unfamiliar',
    'it is a program nobody knows here, and by its words it hands something out or opens it to others',
    (_name, _args, call) => isUnfamiliar(call) && [...nameIn(call), ...verbsOf(call), ...longFlags(call.args)].some(soundsLikeOpening),
  ),
  ask(
    'unfamiliar',
    'it hands a home folder, a system folder or a start-up file to a program nobody knows here',
    (_name, args, call, place) =>
      isUnfamiliar(call) && [...args, ...args.map((word) => word.replace(/^[^=]*=/, ''))].some((word) => isSensitive(word, place)),
  ),
];
