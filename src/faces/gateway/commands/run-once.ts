import { nameArrivalFact, type Arrival } from '../../../contracts/gateway-store.ts';
import { runTypedCommand } from './chat-commands.ts';
import { readTypedCommand, type ChatCommandDeps, type TypedCommand, type TypedCommandResult } from './typed-command.ts';

/** A command that changes something is noted before it is carried out: a death in between must not carry it out twice. */
export async function runOnce(row: Arrival, typed: TypedCommand, deps: ChatCommandDeps): Promise<TypedCommandResult> {
  const name = readTypedCommand(typed.text)?.name;
  if (name === undefined || REPEATABLE.has(name) || !(await isCommand(name, deps))) return runTypedCommand(typed, deps);
  // Not with the chat: of one in which nobody has written yet, nothing can be read.
  const begun = nameArrivalFact(row.id, 'command');
  if ((await deps.store.fact(begun)) !== undefined)
    return { type: 'done', words: `/${name} was interrupted. See whether it took effect, and send it again if not.` };
  await deps.store.learn(begun, name);
  return runTypedCommand(typed, deps);
}
/** A word that is no command, nor the first word or the beginning of one, has no effect. */
const isCommand = async (name: string, { own, host }: ChatCommandDeps): Promise<boolean> =>
  Object.hasOwn(own, name) ||
  (await host.commands.findBare(`/${name}`, 'chat')) !== undefined ||
  (await host.commands.list('chat')).some((command) => command.name.split(' ')[0] === name);
/** Twice is the same as once. */
const REPEATABLE: ReadonlySet<string> = new Set(
  'new reset stop status help commands whoami version usage context queue q steer approve deny background bg pair sethome platform model start busy verbose reasoning sessions memory tools'.split(
    ' ',
  ),
);
