import { lazy } from '../../../../base/lazy.ts';
import type { TextToken } from '../text/words.ts';
import { compileLiterals } from './compile-literals.ts';

/** A concept that was met at a place of the text. */
export interface ConceptMatch {
  readonly concept: string;
  /** In words, see `TextToken.pos`. */
  readonly pos: number;
  readonly at: number;
  readonly end: number;
  /** Bits of `PLACE`. */
  readonly place: number;
}

/** What can be told of a piece between two blanks: a path, a variable, an address. It holds one of `has` and, if given, fits `is`. */
interface ChunkRule {
  readonly concept: string;
  readonly has: readonly string[];
  readonly is?: RegExp;
}

const CHUNKS: readonly ChunkRule[] = [
  { concept: 'url', has: ['://'], is: /\b(?:https?|wss?|ftp):\/\/(?!(?:localhost|127\.|0\.0\.0\.0|\[::1\]))[^\s/"'`)>]{3,}/ },
  { concept: 'url', has: [':1', ':2', ':3', ':4', ':5', ':6', ':7', ':8', ':9'], is: /\b\d{1,3}(?:\.\d{1,3}){3}:\d{2,5}\b/ },
  { concept: 'mail', has: ['@'], is: /[\w.+-]{1,64}@[a-z0-9-]{1,63}\.[a-z0-9.-]{2,63}/ },
  {
    concept: 'envfile',
    has: ['.env'],
    is: /(?:^|[^\w.])\.env(?:\.(?!example|sample|template|dist|test|tpl|defaults?|schema)[\w-]{1,20})?(?![\w.-])/,
  },
  { concept: 'secretfile', has: ['id_'], is: /(?:^|[/\\])id_(?:rsa|ed25519|ecdsa|dsa|\*)(?!\w)(?!\.pub)/ },
  { concept: 'secretfile', has: ['.ssh', '~/.'], is: /~\/\.[a-z]*[?*][a-z?*]*\/|\.ssh\/(?:\*|$)|~\/\.ssh$/ },
  {
    concept: 'secretfile',
    has: ['.aws/', '.netrc', '.pgpass', '.git-credentials', '.kube/config', '.docker/config', 'password-store', 'share/keyrings', '.gnupg'],
  },
  {
    concept: 'secretfile',
    has: ['cookies.sqlite', 'logins.json', 'key4.db', 'wallet.dat', '.kdbx', '/etc/shadow', '.config/gh', '.hermes/.env'],
  },
  { concept: 'secretfile', has: ['/proc/'], is: /\/environ$/ },
  {
    concept: 'agentfile',
    has: ['.md'],
    is: /(?:^|[/"'`(])(?:agents|claude|soul|memory|user|gemini|copilot-instructions|\.hermes)\.md\b/,
  },
  {
    concept: 'agentfile',
    has: ['.cursorrules', '.windsurfrules', '.clinerules', '.claude/', '.hermes/', '.cursor/', '.codex/', '.gemini/'],
  },
  { concept: 'agentfile', has: ['mcpservers', 'mcp.json', 'settings.local.json'] },
  {
    concept: 'looser',
    has: ['autoapprove', 'auto_approve', 'auto-approve', '--yolo', 'yolo:', 'bypasspermissions', 'skip-permissions', 'alwaysallow'],
  },
  { concept: 'startup', has: ['.bashrc', '.zshrc', '.profile', '.bash_profile', '.zprofile', '.zshenv', '/etc/profile', 'prompt_command'] },
  {
    concept: 'startup',
    has: ['crontab', '/etc/cron', 'systemd/user', 'systemd/system', 'launchagents', 'launchdaemons', 'rc.local', 'schtasks'],
  },
  {
    concept: 'startup',
    has: ['.git/hooks', 'hookspath', 'post-checkout', 'post-merge', 'post-commit', 'sitecustomize', 'currentversion\\run'],
  },
  { concept: 'preload', has: ['/etc/ld.so.preload', 'pythonstartup='] },
  { concept: 'authkeys', has: ['authorized_keys'] },
  { concept: 'pubkey', has: ['.pub'], is: /[\w-]\.pub\b/ },
  {
    concept: 'owntrail',
    has: ['bash_history', 'zsh_history', 'python_history', 'psql_history', 'histfile', 'histsize=0', '.hermes/logs', '.hermes/sessions'],
  },
  {
    concept: 'template',
    has: ['<|'],
    is: /<\|(?:im_start|im_end|start|end|message|system|user|assistant|begin_of_text|eot_id)[^|<>\n]{0,20}\|>/,
  },
  { concept: 'template', has: ['[inst]', '[/inst]', '<<sys>>', '<</sys>>', '<start_of_turn>', '<end_of_turn>'] },
  {
    concept: 'speaker',
    has: ['<', '['],
    is: /^<\/?(?:system|assistant|developer|user|tool_result|function_results?|tool_response)>$|^<\/(?:project-file|memory-context|outside|hint)\b|^<tool_result$|^\[(?:system|admin|developer)(?:\](?!\()|:)|^<\/?system-?_?(?:message|prompt|reminder|override|notice|update|instruction)s?\b/,
  },
  { concept: 'policyline', has: ['system:', 'admin:', '[policy]'], is: /^(?:\[policy\]|(?:system|admin):)/ },
  {
    concept: 'version',
    has: ['.0', '.1', '.2', '.3', '.4', '.5', '.6', '.7', '.8', '.9', '.x'],
    is: /^v?\d{1,4}(?:\.(?:\d{1,4}|x)){1,2}[*_]{0,2}$/,
  },
  { concept: 'inquery', has: ['?'], is: /https?:\/\/[^\s?]{3,200}\?[\w.&=-]{0,80}=(?:[<{[]|\$[{(])/ },
  { concept: 'hiddenpath', has: ['/tmp/.', '/dev/shm/.'] },
  { concept: 'harvest', has: ['dict(os.environ', 'stringify(process.env', 'environ.copy(', 'environ.items('] },
  { concept: 'harvest', has: ['.aws', '.ssh', '.gnupg', '.kube'], is: /(?:^|["'~/])\.(?:aws|ssh|gnupg|kube)["'/]/ },
  {
    concept: 'netcall',
    has: ['requests.post(', 'requests.put(', 'requests.get(', 'urlopen(', 'axios.post(', 'fetch(', 'http.client', 'sendbeacon('],
  },
  { concept: 'shellcall', has: ['shell=true', 'os.system(', 'child_process', 'execsync('] },
];
export const CHUNK_CONCEPTS: readonly string[] = CHUNKS.map(({ concept }) => concept);

/** Most words hold none of the pieces. */
const candidate = lazy(() => compileLiterals(CHUNKS.flatMap(({ has }) => has)));
const LONGEST = 400;

/** One pass over the pieces between blanks; long pieces are read in slices. */
export function findChunkConcepts(text: string, tokens: readonly TextToken[], places: Uint8Array): readonly ConceptMatch[] {
  const candidates = candidate();
  const found: ConceptMatch[] = [];
  let token = 0;
  let pos = 0;
  for (let at = 0; at < text.length;) {
    if (text.charCodeAt(at) <= 32) {
      at++;
      continue;
    }
    let end = at + 1;
    while (end < text.length && end - at < LONGEST && text.charCodeAt(end) > 32) end++;
    const chunk = end - at > 2 ? bare(text.slice(at, end)) : '';
    if (chunk.length > 2 && candidates.test(chunk)) {
      for (let next = tokens[token]; next !== undefined && next.at < end; next = tokens[++token]) pos = next.pos;
      for (const { concept, has, is } of CHUNKS)
        if (has.some((piece) => chunk.includes(piece)) && (is === undefined || is.test(chunk)))
          found.push({ concept, pos, at, end, place: places[at] ?? 0 });
    }
    at = end;
  }
  return found;
}

/** Without the quotes, brackets and full stops around it. */
function bare(chunk: string): string {
  let from = 0;
  let to = chunk.length;
  while (from < to && BEFORE.includes(chunk[from] ?? '')) from++;
  while (to > from && BEHIND.includes(chunk[to - 1] ?? '')) to--;
  return from === 0 && to === chunk.length ? chunk : chunk.slice(from, to);
}
const BEFORE = '"\'`(';
const BEHIND = '"\'`),.;:';
