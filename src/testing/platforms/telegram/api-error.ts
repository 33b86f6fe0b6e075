import type { JsonObject } from '../../../base/json-types.ts';

/** A call that Telegram refuses; the description is the one the real server gives. */
export class TelegramApiError extends Error {
  readonly code: number;
  readonly parameters: JsonObject | undefined;

  constructor(code: number, description: string, parameters?: JsonObject) {
    super(description);
    this.name = 'TelegramApiError';
    this.code = code;
    this.parameters = parameters;
  }
}

export const badRequest = (reason: string, parameters?: JsonObject): TelegramApiError =>
  new TelegramApiError(400, `Bad Request: ${reason}`, parameters);
export const forbidden = (reason: string): TelegramApiError => new TelegramApiError(403, `Forbidden: ${reason}`);
export const conflict = (reason: string): TelegramApiError => new TelegramApiError(409, `Conflict: ${reason}`);
