import type { HttpAnswer } from '../../../../base/http-server/contract.ts';
import type { Json } from '../../../../base/json-types.ts';

/** A request that cannot be done, told as programs of OpenAI's API expect it. Its words are ours and hold nothing inner. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly param: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  constructor(
    status: number,
    code: string,
    message: string,
    more: { readonly param?: string; readonly headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.param = more.param;
    this.headers = more.headers ?? {};
  }
}

export const createBadRequest = (code: string, message: string, param?: string): ApiError =>
  new ApiError(400, code, message, param === undefined ? {} : { param });
export const createNotFound = (what: string, id: string): ApiError =>
  new ApiError(404, 'not_found', `There is no ${what} ${JSON.stringify(id.slice(0, 80))}.`);

export const toJsonAnswer = (status: number, body: Json, headers: Readonly<Record<string, string>> = {}): HttpAnswer => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  body: JSON.stringify(body),
});

export const toErrorAnswer = ({ status, code, message, param, headers }: ApiError): HttpAnswer =>
  toJsonAnswer(status, { error: toErrorBody(status, code, message, param) }, headers);

export const toErrorBody = (status: number, code: string, message: string, param?: string): Json => ({
  message,
  type: TYPES.get(status) ?? (status >= 500 ? 'server_error' : 'invalid_request_error'),
  param: param ?? null,
  code,
});

const TYPES: ReadonlyMap<number, string> = new Map([
  [403, 'permission_error'],
  [429, 'rate_limit_error'],
]);
