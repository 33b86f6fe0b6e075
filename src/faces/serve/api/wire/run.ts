import type { JsonObject } from '../../../../base/json-types.ts';
import { isOver, type Run, type RunEvent } from '../../../../contracts/run-store.ts';
import { readResult } from './result.ts';
import type { StreamFormat } from './stream.ts';

/** Answers of `/v1/runs`. */
export const toRunObject = (run: Run): JsonObject => ({
  id: run.id,
  object: 'hermes.run',
  run_id: run.id,
  status: run.state,
  session_id: run.sessionId,
  model: run.request['model'] ?? '',
  created_at: Math.floor(run.at / 1_000),
  completed_at: run.endedAt === undefined ? null : Math.floor(run.endedAt / 1_000),
  ...(isOver(run) && { ...readResult(run) }),
});

const toRunEvent = (run: Run, { type, at, data }: RunEvent): JsonObject => ({
  event: type,
  run_id: run.id,
  timestamp: at / 1_000,
  ...data,
});

/** Every event as it was kept. */
export const createRunStream = (run: Run): StreamFormat => ({
  first: [],
  next: (event) => [{ event: event.type, data: JSON.stringify(toRunEvent(run, event)) }],
});

const SESSION_NAMES: Readonly<Record<string, string>> = {
  'message.delta': 'assistant.delta',
  'message.completed': 'assistant.completed',
  'message.discarded': 'assistant.discarded',
};

/** The same for `/api/sessions/{id}/chat/stream`, where messages are the assistant's. */
export const createSessionStream = (run: Run): StreamFormat => ({
  first: [],
  next: (event) => {
    const type = SESSION_NAMES[event.type] ?? event.type;
    return [{ event: type, data: JSON.stringify({ ...toRunEvent(run, event), event: type, session_id: run.sessionId }) }];
  },
});
