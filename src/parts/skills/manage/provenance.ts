import { join } from 'node:path';
import { readNumberAt, readStringAt } from '../../../base/json.ts';
import { changeRecord, readRecords } from './record-file.ts';

/** What is known of a skill the agent made. */
export interface AgentSkillRecord {
  readonly sessionId: string;
  readonly turnId: string;
  /** Milliseconds of the last write. */
  readonly at: number;
  /** The state of its folder as the agent last wrote it. */
  readonly state: string;
  /** The state before that: the line is written first, so a kill may leave the folder there. */
  readonly before?: string;
  /** Foreign sources the model had in view. */
  readonly foreign: readonly string[];
}

const ledgerPath = (userDir: string): string => join(userDir, '.made-by-agent.json');

export function findAgentSkillRecord(userDir: string, name: string): AgentSkillRecord | undefined {
  const record = readRecords(ledgerPath(userDir)).get(name);
  const [sessionId, turnId, state] = [readStringAt(record, 'session_id'), readStringAt(record, 'turn_id'), readStringAt(record, 'hash')];
  if (sessionId === undefined || turnId === undefined || state === undefined) return undefined;
  const before = readStringAt(record, 'before');
  const foreign = Array.isArray(record?.['foreign']) ? record['foreign'].filter((each) => typeof each === 'string') : [];
  return { sessionId, turnId, at: readNumberAt(record, 'at') ?? 0, state, foreign, ...(before !== undefined && { before }) };
}

export const saveAgentSkillRecord = (
  userDir: string,
  name: string,
  { sessionId, turnId, at, state, before, foreign }: AgentSkillRecord,
): void =>
  changeRecord(ledgerPath(userDir), name, {
    session_id: sessionId,
    turn_id: turnId,
    at,
    hash: state,
    ...(before !== undefined && { before }),
    foreign,
  });

export const removeAgentSkillRecord = (userDir: string, name: string): void => changeRecord(ledgerPath(userDir), name, undefined);

/** The agent's own work, and nobody changed it since. */
export const isUntouched = (made: AgentSkillRecord | undefined, state: string | undefined): boolean =>
  made !== undefined && state !== undefined && (made.state === state || made.before === state);
