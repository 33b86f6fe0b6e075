import { readErrorCode, toErrorMessage } from './errors.ts';

/** Why a connection failed, in words instead of codes: they go on behind the name of the host. */
export const explainNetworkError = (error: unknown): string => FAILURES[readErrorCode(error) ?? ''] ?? toErrorMessage(error);
const FAILURES: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its address could not be looked up (no network, or no DNS)',
  EAI_AGAIN: 'its address could not be looked up (no network, or no DNS)',
  ECONNREFUSED: 'it refused the connection',
  ECONNRESET: 'it closed the connection',
  ETIMEDOUT: 'it did not answer in time',
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'this machine has no network',
};
