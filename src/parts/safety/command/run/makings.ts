import type { ShellContext } from '../places/shell-context.ts';
import { hasMarks, isUnknown, MARK } from '../values/marks.ts';
import type { Call } from '../call/call.ts';
import type { Shell } from './shell.ts';

/** What a program makes, and what it takes away again, each as `kind name`. Nothing is lost when a line removes what it made itself. */
interface ProgramMakings {
  makes(args: readonly string[]): readonly string[];
  takes(args: readonly string[]): readonly string[];
}
/** Stands for the id a program puts out for what it has just made. */
export const MADE_ID = `${MARK.name}made`;

const valueOf = (args: readonly string[], flag: RegExp): string | undefined =>
  args.flatMap((word, index) =>
    flag.test(word)
      ? (args[index + 1] ?? [])
      : word.startsWith('-') && flag.test(word.split('=')[0] ?? '')
        ? word.slice(word.indexOf('=') + 1)
        : [],
  )[0];
const operandsOf = (args: readonly string[], values: RegExp): string[] =>
  args.filter((word, index) => !/^-./.test(word) && !values.test(args[index - 1] ?? ''));
const things = (kind: string, names: readonly (string | undefined)[]): string[] =>
  names.flatMap((name) => (name === undefined || isUnknown(name) ? [] : [`${kind} ${name}`]));
/** A name with a number in it that only this run has; another may have been there before. */
const unique = (kind: string, name: string | undefined): string[] => (name !== undefined && hasMarks(name) ? things(kind, [name]) : []);

const ENGINE_VALUES = /^(?:-t|--time|--tag|-s|--signal|--file|-H|--host|-c|--context)$/;
const PROJECT = /^(?:-p|--project-name)$/;
const KINDS: Readonly<Record<string, string>> = { container: 'container', volume: 'volume', network: 'network', image: 'image' };
/** `docker rm`, `docker container rm` and `docker volume rm`: what is meant, what is done, to which. */
function engineVerb(args: readonly string[]): { readonly kind: string; readonly verb: string; readonly names: readonly string[] } {
  const [first = '', second = '', ...rest] = operandsOf(args, ENGINE_VALUES);
  if (Object.hasOwn(KINDS, first)) return { kind: KINDS[first] ?? '', verb: second, names: rest };
  const image = first === 'rmi' || first === 'build';
  return {
    kind: image ? 'image' : 'container',
    verb: first === 'rmi' ? 'rm' : first,
    names: [second, ...rest].filter((word) => word !== ''),
  };
}
const isCompose = (args: readonly string[]): boolean => args.includes('compose');

const ENGINE: ProgramMakings = {
  makes: (args) => {
    if (isCompose(args)) return args.includes('up') ? unique('project', valueOf(args, PROJECT)) : [];
    const { kind, verb, names } = engineVerb(args);
    if (verb === 'build') return things('image', [valueOf(args, /^(?:-t|--tag)$/)]);
    if (/^(?:run|create)$/.test(verb) && kind === 'container') return things(kind, [valueOf(args, /^--name$/), MADE_ID]);
    return verb === 'create' ? things(kind, [...names.slice(-1), MADE_ID]) : [];
  },
  takes: (args) => {
    if (isCompose(args)) return things('project', [valueOf(args, PROJECT)]);
    const { kind, verb, names } = engineVerb(args);
    return /^(?:rm|remove|stop|kill|restart|pause)$/.test(verb) ? things(kind, names).concat(names.some(isUnknown) ? ['unknown'] : []) : [];
  },
};
const COMPOSE: ProgramMakings = {
  makes: (args) => (args.includes('up') ? unique('project', valueOf(args, PROJECT)) : []),
  takes: (args) => things('project', [valueOf(args, PROJECT)]),
};
/** A cluster on this machine, by the flag or the word that names it. */
const cluster = (named: (args: readonly string[]) => string | undefined, begins: RegExp, ends: RegExp): ProgramMakings => ({
  makes: (args) => (args.some((word) => begins.test(word)) ? things('cluster', [named(args)]) : []),
  takes: (args) =>
    args.some((word) => ends.test(word)) && !args.includes('--all') && !args.includes('clusters') ? things('cluster', [named(args)]) : [],
});
const KUBERNETES: ProgramMakings = {
  makes: (args) => (/^create (?:ns|namespace)\b/.test(args.join(' ')) ? unique('namespace', operandsOf(args, /^-o$/)[2]) : []),
  takes: (args) => (/^delete (?:ns|namespace)\b/.test(args.join(' ')) ? things('namespace', operandsOf(args, /^--timeout$/).slice(2)) : []),
};
const HELM: ProgramMakings = {
  makes: (args) => (args[0] === 'install' || args[0] === 'upgrade' ? unique('release', operandsOf(args, /^-/)[1]) : []),
  takes: (args) => (args[0] === 'uninstall' ? things('release', operandsOf(args, /^-/).slice(1)) : []),
};
const SERVER = /^(?:-D|--pgdata)$/;
const DATABASE_VALUES = /^(?:-[hpUwOTED]|--(?:host|port|username|owner|template|encoding|maintenance-db))$/;
const isVerb = (args: readonly string[], verb: RegExp): boolean => args.some((word) => verb.test(word));

const MAKINGS: Readonly<Record<string, ProgramMakings>> = {
  docker: ENGINE,
  podman: ENGINE,
  nerdctl: ENGINE,
  'docker-compose': COMPOSE,
  'podman-compose': COMPOSE,
  kind: cluster((args) => valueOf(args, /^(?:-n|--name)$/) ?? 'kind', /^create$/, /^delete$/),
  k3d: cluster((args) => operandsOf(args, /^-/)[2] ?? 'k3s-default', /^create$/, /^delete$/),
  minikube: cluster((args) => valueOf(args, /^(?:-p|--profile)$/), /^start$/, /^(?:delete|stop)$/),
  kubectl: KUBERNETES,
  helm: HELM,
  pg_ctl: {
    makes: (args) => (isVerb(args, /^start$/) ? [`server ${valueOf(args, SERVER) ?? ''}`] : []),
    takes: (args) => (isVerb(args, /^(?:stop|restart|promote)$/) ? [`server ${valueOf(args, SERVER) ?? ''}`] : []),
  },
  createdb: { makes: (args) => things('database', operandsOf(args, DATABASE_VALUES).slice(0, 1)), takes: () => [] },
  dropdb: { makes: () => [], takes: (args) => things('database', operandsOf(args, DATABASE_VALUES)) },
  'redis-server': { makes: (args) => things('store', [valueOf(args, /^--port$/)]), takes: () => [] },
  'redis-cli': {
    makes: () => [],
    takes: (args) =>
      /^(?:localhost|127\.0\.0\.1)$/.test(valueOf(args, /^-h$/) ?? 'localhost') ? things('store', [valueOf(args, /^-p$/)]) : [],
  },
  tmux: {
    makes: (args) => (isVerb(args, /^new(?:-session)?$/) ? things('tmux', [valueOf(args, /^-[a-zA-Z]*s$/)]) : []),
    takes: () => [],
  },
};
const makingOf = (name: string): ProgramMakings | undefined => (Object.hasOwn(MAKINGS, name) ? MAKINGS[name] : undefined);

/** Remembers what a call makes, for the rest of the line. */
export function noteCreatedThings(shell: Shell, { name, args }: Call): undefined {
  for (const thing of makingOf(name)?.makes(args) ?? []) shell.made.add(thing);
}
export const isMade = ({ made }: ShellContext, thing: string): boolean => made?.has(thing) === true;
/** Whether all that a call takes away was made by this very line. */
export function takesOwn({ name, args, place }: Call): boolean {
  const taken = makingOf(name)?.takes(args) ?? [];
  return taken.length > 0 && taken.every((thing) => isMade(place, thing));
}
/** Flags of an engine that stand alone; any other takes the next word. */
const ALONE = /^-(?:[itdPTq]+|-(?:rm|interactive|tty|detach|init|read-only|publish-all|quiet|no-healthcheck|privileged))$|=/;
/** Whether a container is left to itself: what it puts out is then its id, and not what runs in it. */
function isDetached(args: readonly string[]): boolean {
  for (let at = args.indexOf('run') + 1; (args[at] ?? '').startsWith('-'); at += ALONE.test(args[at] ?? '') ? 1 : 2)
    if (/^-[itPTq]*d[itPTq]*$|^--detach(?:=true)?$/.test(args[at] ?? '')) return true;
  return false;
}
/** What an engine puts out when it has made something. */
export const findCreatedId = ({ args }: Call): readonly string[] | undefined => {
  const { verb } = engineVerb(args);
  return verb === 'create' || (verb === 'run' && isDetached(args)) ? [MADE_ID] : undefined;
};
export const MAKES = Object.fromEntries(Object.keys(MAKINGS).map((name) => [name, noteCreatedThings] as const));
