import { isObject, readStringAt } from '../../../base/json.ts';
import type { Json, JsonObject } from '../../../base/json-types.ts';
import { refusals } from './errors.ts';
import { param, type DiscordRouteAnswer, type DiscordRouteCall, type DiscordRoutes } from './route.ts';

const MAX_COMMANDS = 100;

/** The commands of a bot, everywhere and in one guild: the same routes twice. */
export const commandRoutes: DiscordRoutes = Object.fromEntries(
  ['/applications/:application/commands', '/applications/:application/guilds/:guild/commands'].flatMap((path) => [
    [`GET ${path}`, list],
    [`PUT ${path}`, overwrite],
    [`POST ${path}`, upsert],
    [`PATCH ${path}/:command`, edit],
    [`DELETE ${path}/:command`, remove],
  ]),
);

function scopeOf(call: DiscordRouteCall): string {
  if (param(call, 'application') !== call.bot.id) throw refusals.missingAccess();
  const guild = call.params['guild'];
  return guild === undefined ? call.bot.id : `${call.bot.id}/${guild}`;
}

const commandsOf = (call: DiscordRouteCall): JsonObject[] => call.core.world.commands.get(scopeOf(call)) ?? [];
const keep = (call: DiscordRouteCall, commands: JsonObject[]): void => void call.core.world.commands.set(scopeOf(call), commands);

function list(call: DiscordRouteCall): DiscordRouteAnswer {
  return { body: commandsOf(call) };
}

function overwrite(call: DiscordRouteCall): DiscordRouteAnswer {
  if (!Array.isArray(call.body)) throw refusals.badJson();
  if (call.body.length > MAX_COMMANDS) throw refusals.badField('commands', 'BASE_TYPE_MAX_LENGTH', `Must be ${MAX_COMMANDS} or fewer.`);
  const known = commandsOf(call);
  const commands = call.body.map((given: Json) => commandWire(call, given, idOf(known, given)));
  keep(call, commands);
  return { body: commands };
}

/** A command of a name that is there already takes its place. */
function upsert(call: DiscordRouteCall): DiscordRouteAnswer {
  const known = commandsOf(call);
  const id = idOf(known, call.body);
  const command = commandWire(call, call.body, id);
  keep(call, [...known.filter((one) => one['id'] !== id), command]);
  return { status: id === undefined ? 201 : 200, body: command };
}

function edit(call: DiscordRouteCall): DiscordRouteAnswer {
  const before = commandOfCall(call);
  const command = commandWire(call, { ...before, ...(isObject(call.body) ? call.body : {}) }, param(call, 'command'));
  keep(
    call,
    commandsOf(call).map((one) => (one === before ? command : one)),
  );
  return { body: command };
}

function remove(call: DiscordRouteCall): undefined {
  const gone = commandOfCall(call);
  keep(
    call,
    commandsOf(call).filter((one) => one !== gone),
  );
}

function commandOfCall(call: DiscordRouteCall): JsonObject {
  const found = commandsOf(call).find((one) => one['id'] === param(call, 'command'));
  if (found === undefined) throw refusals.unknownCommand();
  return found;
}

const idOf = (known: readonly JsonObject[], given: unknown): string | undefined =>
  readStringAt(
    known.find((one) => one['name'] === readStringAt(given, 'name')),
    'id',
  );

function commandWire({ core, bot }: DiscordRouteCall, given: Json | undefined, id: string | undefined): JsonObject {
  const [name = '', description = ''] = [readStringAt(given, 'name'), readStringAt(given, 'description')];
  if (!/^[-_\p{L}\p{N}]{1,32}$/u.test(name) || name !== name.toLowerCase())
    throw refusals.badField('name', 'APPLICATION_COMMAND_INVALID_NAME', 'Command name is invalid');
  if (description.length < 1 || description.length > 100)
    throw refusals.badField('description', 'BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 100 in length.');
  return {
    ...DEFAULTS,
    ...(isObject(given) ? given : {}),
    id: id ?? core.world.nextId(),
    application_id: bot.id,
    version: core.world.nextId(),
  };
}

const DEFAULTS = { type: 1, options: [], default_member_permissions: null, dm_permission: true, nsfw: false, contexts: null } as const;
