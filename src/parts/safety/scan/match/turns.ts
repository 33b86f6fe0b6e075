import type { Mark } from './marks.ts';

const HUMAN = /^\s*(?:human|user|person|nutzer|usuario|用户|ユーザー|사용자|пользователь)\s*:/;
const MODEL = /^\s*(?:assistant|ai|model|bot|agent|system|助手|アシスタント|어시스턴트|ассистент)\s*:/;

/** A played dialogue outside of a fence: the lines a model would take for turns that were really said. */
export function turnMark(line: string, at: number, pos: number, place: number): Mark | undefined {
  const concept = HUMAN.test(line) ? 'turnhuman' : MODEL.test(line) ? 'turnai' : undefined;
  return concept === undefined ? undefined : { concept, pos, at, end: at + Math.min(line.length, 40), place };
}
