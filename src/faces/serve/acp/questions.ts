import type {
  AgentContext,
  ClientCapabilities,
  CreateElicitationResponse,
  ElicitationSchema,
  PermissionOption,
} from '@agentclientprotocol/sdk';
import { isObject } from '../../../base/json.ts';
import { showInvisible } from '../../../base/visible.ts';
import type { Ports, UserQuestion } from '../../../contracts/ports.ts';
import { fenceCode } from '../../../base/markdown/code.ts';
import { toTextContent } from './tool-calls.ts';

export interface QuestionsDeps {
  readonly client: AgentContext;
  readonly capabilities: ClientCapabilities;
  readonly sessionId: () => string;
  /** Whatever needs consent is refused, and nobody is asked. */
  isDenied(): boolean;
  /** The call a question is about, by the question's id. */
  callOf(questionId: string | undefined): string | undefined;
}

/** Asks the person in front of the editor. Whatever goes wrong on the way rejects, which is a no. */
export function createClarify(deps: QuestionsDeps): NonNullable<Ports['clarify']> {
  return async (question, signal) => {
    signal.throwIfAborted();
    if (question.act !== undefined) return askConsent(question, signal, deps);
    const { elicitation } = deps.capabilities;
    const canFill = elicitation?.form !== undefined && elicitation.form !== null;
    return canFill ? elicit(question, signal, deps) : chooseByPermission(question, signal, deps);
  };
}

const NO = 1;

async function askConsent(question: UserQuestion, signal: AbortSignal, deps: QuestionsDeps): Promise<string> {
  const { choices, typedAnswer, notes = [] } = question;
  if (deps.isDenied()) return choices[NO] ?? 'no';
  const options: PermissionOption[] = choices.map((choice, index) => ({
    optionId: String(index),
    name: choice,
    kind: index === 0 ? 'allow_once' : index === NO ? 'reject_once' : 'allow_always',
  }));
  const always = typedAnswer === ALWAYS;
  if (always) options.push({ optionId: ALWAYS, name: 'Yes, always: add it to the allow list', kind: 'allow_always' });
  const shown = always ? notes.slice(0, -1) : notes;
  const chosen = await requestPermission({ ...question, notes: shown }, options, signal, deps);
  return chosen === ALWAYS ? ALWAYS : (choices[Number(chosen)] ?? choices[NO] ?? 'no');
}
const ALWAYS = 'always';

/** A client without forms still has buttons; words of the person's own come with the next message then. */
async function chooseByPermission(question: UserQuestion, signal: AbortSignal, deps: QuestionsDeps): Promise<string> {
  const options: PermissionOption[] = question.choices.map((choice, index) => ({
    optionId: String(index),
    name: showInvisible(choice),
    kind: 'allow_once',
  }));
  options.push({ optionId: 'later', name: 'Answer in the chat', kind: 'reject_once' });
  const chosen = await requestPermission(question, options, signal, deps);
  return question.choices[Number(chosen)] ?? LATER;
}
const LATER = '[The user answers in the chat: end your turn with this question.]';

async function requestPermission(
  question: UserQuestion,
  options: PermissionOption[],
  signal: AbortSignal,
  { client, sessionId, callOf }: QuestionsDeps,
): Promise<string> {
  const { outcome } = await client.request(
    'session/request_permission',
    {
      sessionId: sessionId(),
      options,
      toolCall: {
        toolCallId: callOf(question.id) ?? question.id ?? `question-${options.length}`,
        status: 'pending',
        ...(callOf(question.id) === undefined && { title: showInvisible(question.question) }),
        content: [toTextContent(describeQuestion(question))],
      },
    },
    { cancellationSignal: signal, stopWaitingOnCancel: true },
  );
  if (outcome.outcome !== 'selected') throw new Error('the question was cancelled in the editor');
  return outcome.optionId;
}

/** All of the act to the letter, where nothing in it can pass for words of ours. */
const describeQuestion = ({ question, act, notes = [] }: UserQuestion): string =>
  [showInvisible(question), ...(act === undefined ? [] : [fenceCode(showInvisible(act))]), ...notes.map(showInvisible)].join('\n\n');

async function elicit(question: UserQuestion, signal: AbortSignal, { client, sessionId }: QuestionsDeps): Promise<string> {
  const response = await client.request(
    'elicitation/create',
    { mode: 'form', sessionId: sessionId(), message: describeQuestion(question), requestedSchema: toForm(question) },
    { cancellationSignal: signal, stopWaitingOnCancel: true },
  );
  if (response.action !== 'accept') throw new Error('the question was declined in the editor');
  return readAnswer(response);
}

/** One field for the choices, one for words of the person's own. */
function toForm({ choices, several, strict }: UserQuestion): ElicitationSchema {
  const options = [...choices];
  const own = { type: 'string', title: choices.length === 0 ? 'Answer' : 'Or in your own words' } as const;
  if (choices.length === 0) return { type: 'object', properties: { own }, required: ['own'] };
  const choice =
    several === true
      ? ({ type: 'array', title: 'Choose', items: { type: 'string', enum: options } } as const)
      : ({ type: 'string', title: 'Choose', enum: options } as const);
  if (strict === true) return { type: 'object', properties: { choice }, required: ['choice'] };
  return { type: 'object', properties: { choice, own } };
}

function readAnswer(response: CreateElicitationResponse): string {
  const { own, choice } = 'content' in response && isObject(response.content) ? response.content : {};
  if (typeof own === 'string' && own.trim() !== '') return own;
  return Array.isArray(choice) ? choice.map(String).join(', ') : typeof choice === 'string' ? choice : '';
}
