import { UsageError } from '../../../base/errors.ts';
import type { ServeDeps, ConversationTool } from './contract.ts';
import { createEventTools } from './events.ts';
import { createPermissionTools } from './permissions.ts';
import { createReadingTools } from './reading.ts';
import type { SendingService } from './sending.ts';

/** Every tool the owner lets a client have. */
export function createConversationTools(deps: ServeDeps, sending: SendingService): readonly ConversationTool[] {
  const all = [...createReadingTools(deps), ...createEventTools(deps), ...sending.tools, ...createPermissionTools(deps, sending.resume)];
  const { tools } = deps.rules;
  const unknown = tools?.find((name) => !all.some((tool) => tool.name === name));
  if (unknown !== undefined)
    throw new UsageError(`there is no tool ${unknown} to serve. Those there are: ${all.map(({ name }) => name).join(', ')}.`);
  return all.filter(({ name }) => tools === undefined || tools.includes(name));
}
