import { scanPhrase } from './clauses.ts';
import { combineParts, refuse, type ScheduleContext, type ScheduleResult } from './combine.ts';
import { findUsualForm, USUAL_FORMS } from './forms.ts';
import { findNextInstant } from './instants.ts';

/** Reads all of a text or refuses it: words that are left over are named. What comes of it has at least one instant after now. */
export function parseSchedule(text: string, context: ScheduleContext): ScheduleResult {
  const said = text.trim().replaceAll(/\s+/g, ' ');
  if (said === '') return refuse(`a job needs a schedule. ${USUAL_FORMS}`);
  const { parts, end, why } = scanPhrase(said);
  if (why !== undefined) return refuse(why);
  if (end < said.length) return refuse(describeRest(said, end));
  const result = combineParts(parts, context, said);
  if (!result.ok) return result;
  if (result.schedule.kind === 'cron' && findNextInstant(result.schedule, 0) === undefined)
    return refuse(`"${said}" never comes: there is no such day.`);
  return findNextInstant(result.schedule, context.now) === undefined ? refuse(`"${said}" is in the past. ${USUAL_FORMS}`) : result;
}

function describeRest(said: string, end: number): string {
  const usual = findUsualForm(said);
  if (end === 0) return `"${said}" is no schedule. ${usual}`;
  return `"${said}" is not understood as a whole: "${said.slice(0, end)}" is, but "${trimStart(said.slice(end))}" is left over. ${usual}`;
}
const trimStart = (text: string): string => text.replace(/^[\s,]+/, '');

/** One line with a schedule and the prompt behind it. */
export type SplitResult =
  | { readonly ok: true; readonly said: string; readonly prompt: string }
  | { readonly ok: false; readonly why: string };

/**
 * Finds where a schedule ends that nobody put in quotes. It goes as far as its clauses do; when what follows could belong to it,
 * the line is refused rather than guessed.
 */
export function splitSchedule(line: string, context: ScheduleContext): SplitResult {
  const words = line.trim().split(/\s+/);
  const said = words.join(' ');
  const { end, why } = scanPhrase(said);
  const begin = said.slice(0, end);
  const prompt = restOf(line, begin.split(' ').length);
  if (why !== undefined) return { ok: false, why: `${why} ${QUOTE}` };
  if (end === 0) return { ok: false, why: `"${words[0]}" is no schedule, nor the beginning of one. ${USUAL_FORMS}` };
  if (/^[\s]*[,;&/+–-]/.test(said.slice(end)) || COULD_GO_ON.test(trimStart(said.slice(end))))
    return { ok: false, why: `"${begin}" is a schedule, but "${trimStart(said.slice(end))}" could belong to it. ${QUOTE}` };
  const read = parseSchedule(begin, context);
  return read.ok ? { ok: true, said: begin, prompt } : { ok: false, why: `${read.why} ${QUOTE}` };
}
const QUOTE = 'Put the schedule in quotes: /cron add "weekdays at 9am" what to do.';
const restOf = (line: string, count: number): string => line.trim().replace(new RegExp(`^(?:\\S+\\s*){${count}}`), '');

/** Words with which a schedule goes on, more than prompts begin with them. */
const COULD_GO_ON =
  /^(?:(?:and|or|at|on|every|each|until|till|except|but|between|before|after|around|starting|beginning|excluding|including|sharp|o['’]?clock|[ap]m|once|twice|thrice|times|this|next|last|first|only|utc|gmt|today|tomorrow|tonight|daily|weekly|monthly|yearly|hourly|a|per)\b|(?:in|to|from|for|by|of|the|through|thru|with)\s+(?:the\s+)?(?:\d|[a-z]+\/|(?:morning|afternoon|evening|night|month|week|day|year|mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b)|[\d*@:(])/i;
