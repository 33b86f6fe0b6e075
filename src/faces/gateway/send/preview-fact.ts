import { isObject } from '../../../base/json.ts';

/** What is kept of a preview, among the facts of its chat. */
export interface PreviewFact {
  readonly turnId: string;
  readonly key: string;
  /** When it was sent: a service knows a key only for so long. */
  readonly at?: number;
  readonly messageId?: string;
  /** The answer that takes its place: a turn that gives several has a preview for each. */
  readonly usedBy?: string;
}
/** Its name there. */
export const PREVIEW = 'preview';

/** How long a call for a preview may take before the answer is more important. */
export const MAX_PREVIEW_CALL_MS = 10_000;

export function readPreviewFact(value: unknown): PreviewFact | undefined {
  if (!isObject(value) || typeof value['turnId'] !== 'string' || typeof value['key'] !== 'string') return undefined;
  const { turnId, key, at, messageId, usedBy } = value;
  return {
    turnId,
    key,
    ...(typeof at === 'number' && { at }),
    ...(typeof messageId === 'string' && { messageId }),
    ...(typeof usedBy === 'string' && { usedBy }),
  };
}
