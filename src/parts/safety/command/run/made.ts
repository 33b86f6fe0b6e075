import type { Call } from '../call/call.ts';
import { hasMarks } from '../values/marks.ts';

/** What a program calls what it has just made, where its output tells. */
const CREATED = 'created-here';
const CREATES = /^(?:create|run|up|new|new-session|new-s|install|build|tag|start)$/;
/** Words that name no single thing. */
const NO_NAME =
  /^-|^(?:compose|container|image|volume|network|cluster|ns|namespace|pod|deploy|deployment|builder|system|create|run|up|new|new-session|install|uninstall|build|tag|start|stop|rm|rmi|remove|delete|down|kill|kill-session|send-keys|destroy|shutdown|nosave|Enter|\d{1,3})$/;
/** Programs that make and take away the same things. */
const FAMILY: Readonly<Record<string, string>> = {
  createdb: 'db',
  dropdb: 'db',
  'redis-server': 'redis',
  'redis-cli': 'redis',
  nerdctl: 'docker',
  podman: 'docker',
};
const MAKERS = /^(?:docker|podman|nerdctl|docker-compose|kubectl|helm|kind|k3d|minikube|tmux|createdb|redis-server|lxc|multipass)$/;

const familyOf = (name: string): string => FAMILY[name] ?? name;
const namesIn = ({ args }: Call): string[] => args.filter((word) => !NO_NAME.test(word) && !/\s/.test(word));

/** Notes what a call makes that a later one of the line may take away again. */
export function noteMade(made: Set<string>, call: Call): void {
  const { name, args } = call;
  if (name === 'git') made.add(`git ${args.find((word) => !word.startsWith('-')) ?? ''}`);
  if (!MAKERS.test(name) || !(FAMILY[name] !== undefined || args.some((word) => CREATES.test(word)))) return;
  // The name of a composition or of something in a cluster may have been there before.
  const isComposed = /^(?:docker-compose|kubectl|helm)$/.test(name) || args.includes('compose');
  for (const each of namesIn(call)) if (!isComposed || hasMarks(each)) made.add(`${familyOf(name)} ${each}`);
}

/** The name of what it makes, for whoever takes that up. */
export const findCreatedId = ({ args }: Call): readonly string[] | undefined =>
  args.some((word) => /^(?:create|run)$/.test(word)) ? [CREATED] : undefined;

/** Whether all that a call takes away was made by this very line. */
export function takesOwn(call: Call): boolean {
  const { made } = call.place;
  const names = namesIn(call);
  return (
    made !== undefined &&
    names.length > 0 &&
    names.every((name) => name === CREATED || made.has(`${familyOf(call.name)} ${name.replace(/[:.]\d+$/, '')}`))
  );
}
