import { isObject, parseJson, readStringAt } from '../../../base/json.ts';
import type { ChatTarget } from '../../../contracts/gateway-store.ts';
import type { ForeignJob } from '../foreign/foreign-home.ts';

/** The jobs of `cron/jobs.json`; `undefined` when it is not what that program writes. */
export function readJobs(text: string): readonly ForeignJob[] | undefined {
  const file = parseJson(text);
  const rows = isObject(file) ? file['jobs'] : undefined;
  return Array.isArray(rows) ? rows.flatMap(readJob) : undefined;
}

function readJob(row: unknown): readonly ForeignJob[] {
  if (!isObject(row)) return [];
  const schedule = readSchedule(row['schedule']);
  const name = readStringAt(row, 'name') ?? readStringAt(row, 'id') ?? '';
  // What runs no more is no job.
  if (schedule === undefined || readStringAt(row, 'state') === 'completed') return [];
  const chat = readOrigin(row['origin']);
  const { repeat, no_agent: noAgent } = row;
  const times = isObject(repeat) ? repeat['times'] : undefined;
  return [
    {
      name,
      request: {
        schedule,
        prompt: readStringAt(row, 'prompt') ?? '',
        name,
        skills: readList(row['skills'] ?? row['skill']),
        ...readTexts(row),
        ...(noAgent === true && { noAgent }),
        ...(typeof times === 'number' && { repeat: times }),
        deliver: readList(row['deliver']),
        toolsets: readList(row['enabled_toolsets']),
      },
      ...(chat !== undefined && { chat }),
    },
  ];
}

/** As somebody would type it. */
function readSchedule(value: unknown): string | undefined {
  switch (readStringAt(value, 'kind')) {
    case 'cron':
      return readStringAt(value, 'expr');
    case 'once':
      return readStringAt(value, 'run_at');
    case 'interval': {
      const minutes = isObject(value) ? value['minutes'] : undefined;
      return typeof minutes === 'number' ? `every ${minutes}m` : undefined;
    }
    default:
      return undefined;
  }
}

function readTexts(row: unknown): Pick<ForeignJob['request'], 'script' | 'model' | 'provider' | 'cwd'> {
  const [script, model, provider, cwd] = ['script', 'model', 'provider', 'workdir'].map((key) => readStringAt(row, key));
  return {
    ...(script !== undefined && { script }),
    ...(model !== undefined && { model }),
    ...(provider !== undefined && { provider }),
    ...(cwd !== undefined && { cwd }),
  };
}

const readList = (value: unknown): readonly string[] => (Array.isArray(value) ? value : [value]).filter((item) => typeof item === 'string');

function readOrigin(value: unknown): ChatTarget | undefined {
  const [platform, chatId, threadId] = ['platform', 'chat_id', 'thread_id'].map((key) => readStringAt(value, key));
  return platform === undefined || chatId === undefined
    ? undefined
    : { platform, account: 'main', chatId, ...(threadId !== undefined && { threadId }) };
}
