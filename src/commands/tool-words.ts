import { isObject } from '../base/json.ts';
import type { JsonObject } from '../base/json-types.ts';
import { takeStart } from '../base/text.ts';
import { toVisibleLine } from '../base/visible.ts';
import { formatCount } from '../base/screen/figures.ts';
import type { ToolCall } from '../contracts/message.ts';

/** A call in words: what is done, and to what. */
export interface CallWords {
  readonly verb: string;
  readonly object: string;
  /** What is told more faintly behind it. */
  readonly aside?: string;
}
type Words = (input: JsonObject) => CallWords;

const MAX_OBJECT = 400;

/** A call as every face names it. A tool without words of its own is named, with the argument that says most. */
export function describeToolCall(call: Pick<ToolCall, 'name' | 'input' | 'malformed'>): CallWords {
  const { name, input } = findMeantCall(call);
  const words = call.malformed === undefined ? WORDS.get(name)?.(input) : undefined;
  const { verb, object, aside } = words ?? { verb: name, object: findTelling(input) };
  return { verb: clean(verb), object: clean(object), ...(aside !== undefined && aside !== '' && { aside: clean(aside) }) };
}

/** One line in which everything can be seen. */
const clean = (text: string): string => toVisibleLine(takeStart(text.trim(), MAX_OBJECT)).replaceAll('⇥', ' ');

/** A tool that is called through another is the one that was meant. */
export function findMeantCall({ name, input }: Pick<ToolCall, 'name' | 'input'>): { readonly name: string; readonly input: JsonObject } {
  const given = isObject(input) ? input : {};
  if (name !== 'tool_call' || typeof given['name'] !== 'string') return { name, input: given };
  const { name: inner, arguments: beside, ...rest } = given;
  return { name: text(inner), input: isObject(beside) ? beside : rest };
}

const text = (value: unknown): string => (typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '');
const quoted = (value: unknown): string => (text(value) === '' ? '' : `“${text(value)}”`);
const named =
  (verb: string, ...keys: readonly string[]): Words =>
  (input) => ({ verb, object: keys.map((key) => text(input[key])).find((value) => value !== '') ?? '' });

/** Arguments that say most about a call, best first. */
const TELLING = ['command', 'path', 'pattern', 'question', 'query', 'url', 'name', 'title', 'text', 'prompt', 'session_id'];
const findTelling = (input: JsonObject): string =>
  text([...TELLING.map((key) => input[key]), ...Object.values(input)].find((value) => typeof value === 'string' && value !== ''));

const countLines = (value: unknown): string =>
  text(value) === '' ? '' : formatCount(text(value).replace(/\n$/, '').split('\n').length, 'line');

function describeRead({ path, offset, limit }: JsonObject): CallWords {
  const from = typeof offset === 'number' ? offset : 1;
  const range = typeof limit === 'number' ? `lines ${from}–${from + limit - 1}` : from > 1 ? `from line ${from}` : '';
  return { verb: 'Read', object: text(path), aside: range };
}

function describeSearch({ pattern, path, target, file_glob: glob }: JsonObject): CallWords {
  const where = [text(path) === '' ? '' : `in ${text(path)}`, text(glob)].filter(Boolean).join(' ');
  return target === 'files'
    ? { verb: 'Find', object: text(pattern), aside: where }
    : { verb: 'Search', object: quoted(pattern), aside: where };
}

function describePatch({ path, patch }: JsonObject): CallWords {
  const files = [...text(patch).matchAll(/^\*\*\* (?:Update|Add|Delete) File: (.+)$/gm)].map(([, file = '']) => file);
  const [first = text(path), ...others] = files;
  return { verb: 'Edit', object: first, aside: others.length > 0 ? `and ${formatCount(others.length, 'more file')}` : '' };
}

function describeDelegation({ goal, tasks }: JsonObject): CallWords {
  const goals = [text(goal), ...(Array.isArray(tasks) ? tasks.map((task) => (isObject(task) ? text(task['goal']) : '')) : [])].filter(
    Boolean,
  );
  return goals.length > 1 ? { verb: 'Delegate', object: formatCount(goals.length, 'task') } : { verb: 'Delegate', object: goals[0] ?? '' };
}

function describeClarify({ question, questions }: JsonObject): CallWords {
  const first = Array.isArray(questions) && isObject(questions[0]) ? text(questions[0]['question']) : '';
  return { verb: 'Ask', object: text(question) || first };
}

/** Words for the tools that come with the program. */
const WORDS: ReadonlyMap<string, Words> = new Map(
  Object.entries<Words>({
    terminal: ({ command, background, workdir }) => ({
      verb: background === true ? 'Start' : 'Run',
      object: text(command),
      aside: text(workdir) === '' ? '' : `in ${text(workdir)}`,
    }),
    process: ({ action, session_id: id }) => ({ verb: 'Process', object: [text(action), text(id)].filter(Boolean).join(' ') }),
    execute_code: ({ code, language }) => ({ verb: 'Run', object: `${text(language) || 'python'} script`, aside: countLines(code) }),
    read_file: describeRead,
    write_file: ({ path, content }) => ({ verb: 'Write', object: text(path), aside: countLines(content) }),
    patch: describePatch,
    search_files: describeSearch,
    web_search: ({ query }) => ({ verb: 'Search the web for', object: quoted(query) }),
    web_extract: ({ urls, url }) => ({ verb: 'Fetch', object: Array.isArray(urls) ? urls.map(text).join(' ') : text(url) }),
    todo: () => ({ verb: 'Tasks', object: '' }),
    clarify: describeClarify,
    memory: ({ action, content, target }) => ({
      verb: 'Memory',
      object: [text(action), text(content) || text(target)].filter(Boolean).join(': '),
    }),
    session_search: ({ query }) => ({ verb: 'Search sessions for', object: quoted(query) }),
    context_recall: ({ query }) => ({ verb: 'Recall', object: quoted(query) }),
    skills_list: () => ({ verb: 'List skills', object: '' }),
    skill_view: named('Read skill', 'name', 'path'),
    skill_manage: ({ action, name }) => ({ verb: 'Skill', object: [text(action), text(name)].filter(Boolean).join(' ') }),
    delegate_task: describeDelegation,
    mixture_of_agents: named('Ask several models', 'question', 'prompt'),
    tool_search: ({ query }) => ({ verb: 'Search tools for', object: quoted(query) }),
    vision_analyze: named('Look at', 'path', 'image', 'url'),
    image_generate: named('Draw', 'prompt'),
    text_to_speech: named('Speak', 'text'),
    send_message: named('Send', 'message', 'text'),
    cronjob: ({ action, name }) => ({ verb: 'Schedule', object: [text(action), text(name)].filter(Boolean).join(' ') }),
  }),
);
