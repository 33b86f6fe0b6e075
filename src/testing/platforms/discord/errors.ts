import type { JsonObject } from '../../../base/json-types.ts';

/** A request that Discord turns down: its status and its own numeric code. */
export class DiscordRefusal extends Error {
  readonly status: number;
  readonly code: number;
  readonly errors: JsonObject | undefined;

  constructor(status: number, code: number, message: string, errors?: JsonObject) {
    super(message);
    this.status = status;
    this.code = code;
    this.errors = errors;
  }

  get body(): JsonObject {
    return { message: this.message, code: this.code, ...(this.errors !== undefined && { errors: this.errors }) };
  }
}

export const refusals = {
  unauthorized: () => new DiscordRefusal(401, 0, '401: Unauthorized'),
  noRoute: () => new DiscordRefusal(404, 0, '404: Not Found'),
  badJson: () => new DiscordRefusal(400, 50109, 'The request body contains invalid JSON.'),
  unknownChannel: () => new DiscordRefusal(404, 10003, 'Unknown Channel'),
  unknownGuild: () => new DiscordRefusal(404, 10004, 'Unknown Guild'),
  unknownMessage: () => new DiscordRefusal(404, 10008, 'Unknown Message'),
  unknownUser: () => new DiscordRefusal(404, 10013, 'Unknown User'),
  unknownWebhook: () => new DiscordRefusal(404, 10015, 'Unknown Webhook'),
  unknownInteraction: () => new DiscordRefusal(404, 10062, 'Unknown interaction'),
  unknownCommand: () => new DiscordRefusal(404, 10063, 'Unknown application command'),
  tooLarge: () => new DiscordRefusal(413, 40005, 'Request entity too large'),
  alreadyAcknowledged: () => new DiscordRefusal(400, 40060, 'Interaction has already been acknowledged.'),
  missingAccess: () => new DiscordRefusal(403, 50001, 'Missing Access'),
  notTheAuthor: () => new DiscordRefusal(403, 50005, 'Cannot edit a message authored by another user'),
  emptyMessage: () => new DiscordRefusal(400, 50006, 'Cannot send an empty message'),
  closedToBots: () => new DiscordRefusal(403, 50007, 'Cannot send messages to this user'),
  archived: () => new DiscordRefusal(400, 50083, 'Thread is archived'),
  threadExists: () => new DiscordRefusal(400, 160004, 'A thread has already been created for this message'),
  badField: (field: string, code: string, message: string) =>
    new DiscordRefusal(400, 50035, 'Invalid Form Body', { [field]: { _errors: [{ code, message }] } }),
} as const;
