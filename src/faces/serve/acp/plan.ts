import type { PlanEntry, SessionUpdate } from '@agentclientprotocol/sdk';
import type { TodoItem } from '../../../contracts/details.ts';

/** The task list as an editor's plan. A canceled task has no place in a plan. */
export const toPlan = (tasks: readonly TodoItem[]): SessionUpdate => ({
  sessionUpdate: 'plan',
  entries: tasks.flatMap(({ content, status }): PlanEntry[] => (status === 'cancelled' ? [] : [{ content, status, priority: 'medium' }])),
});
