import { send } from '../../commands/send.ts';
import { renderCommand, type RendererRow } from './renderer.ts';

/** What was not sent is an error of the script that wanted it. */
export const ROWS: readonly RendererRow[] = [
  renderCommand(send, {
    text: (result) => (isFailed(result) ? '' : `${describe(result)}\n`),
    notices: (result, json) => (isFailed(result) && !json ? [describe(result)] : []),
  }),
];

type SendOutcome = Parameters<NonNullable<typeof send.describe>>[0];
const isFailed = (result: SendOutcome): boolean => 'ok' in result && !result.ok;
const describe = (result: SendOutcome): string => send.describe?.(result) ?? '';
