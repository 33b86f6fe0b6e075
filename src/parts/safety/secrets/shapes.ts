import { rewritePlaceholders } from './placeholder.ts';
import { isPlain } from './worth.ts';

/** What a secret nobody told us about looks like. */
interface SecretShape {
  /** Names it in the placeholder. */
  readonly kind: string;
  /** Without one of these words, in whatever case, there is nothing to find: most texts are let go by this alone. */
  readonly hints: readonly string[];
  /** What stands before it, and the secret itself as the group `value`. A placeholder is never part of it. */
  readonly pattern: RegExp;
  /** Anything at all that has this shape, or what passes a test; else what reads like words, numbers or a reference is left alone. */
  readonly always?: true | ((value: string) => boolean);
}

/** How tokens of known makers begin, and the fewest characters that follow. */
const MAKERS: readonly (readonly [kind: string, prefix: string, rest: string])[] = [
  ['api-key', 'sk-', '[A-Za-z0-9_-]{20,}'],
  ['stripe-key', '[rsp]k_(?:live|test)_', '[A-Za-z0-9]{16,}'],
  ['github-token', 'gh[oprsu]_', '[A-Za-z0-9]{20,}'],
  ['github-token', 'github_pat_', '\\w{20,}'],
  ['gitlab-token', 'gl(?:pat|dt|rt|ptt|agent|soat|cbt|oas|ft|imt|ffct)-', '[\\w-]{16,}'],
  ['slack-token', 'xox[a-z]-', '[A-Za-z0-9-]{10,}'],
  ['slack-token', 'xapp-', '[A-Za-z0-9-]{10,}'],
  ['google-key', 'AIza', '[\\w-]{30,}'],
  ['google-token', 'ya29\\.', '[\\w-]{20,}'],
  ['aws-key-id', '(?:AKIA|ASIA|ABIA|ACCA)', '[A-Z0-9]{16}(?![A-Za-z0-9])'],
  ['huggingface-token', 'hf_', '[A-Za-z0-9]{20,}'],
  ['npm-token', 'npm_', '[A-Za-z0-9]{30,}'],
  ['pypi-token', 'pypi-', '[\\w-]{30,}'],
  ['docker-token', 'dckr_(?:pat|oat)_', '[\\w-]{20,}'],
  ['tavily-key', 'tvly-', '[\\w-]{16,}'],
  ['exa-key', 'exa_', '[A-Za-z0-9]{16,}'],
  ['groq-key', 'gsk_', '[A-Za-z0-9]{20,}'],
  ['xai-key', 'xai-', '[A-Za-z0-9]{20,}'],
  ['nvidia-key', 'nvapi-', '[\\w-]{20,}'],
  ['perplexity-key', 'pplx-', '[A-Za-z0-9]{20,}'],
  ['fireworks-key', 'fw_', '[A-Za-z0-9]{20,}'],
  ['replicate-token', 'r8_', '[A-Za-z0-9]{20,}'],
  ['cerebras-key', 'csk-', '[A-Za-z0-9]{20,}'],
  ['notion-token', 'ntn_', '[A-Za-z0-9]{20,}'],
  ['linear-key', 'lin_(?:api|oauth)_', '[A-Za-z0-9]{20,}'],
  ['sendgrid-key', 'SG\\.', '[\\w-]{16,}\\.[\\w-]{16,}'],
  ['shopify-token', 'shp(?:at|ss|ca|pa)_', '[A-Fa-f0-9]{20,}'],
  ['digitalocean-token', 'do[oprt]_v1_', '[a-f0-9]{32,}'],
  ['vault-token', 'hv[sbr]\\.', '[\\w-]{20,}'],
  ['figma-token', 'figd_', '[\\w-]{20,}'],
  ['sentry-token', 'sntry[su]_', '[\\w=+/-]{20,}'],
  ['atlassian-token', 'ATATT3', '[\\w=-]{20,}'],
  ['rubygems-key', 'rubygems_', '[a-f0-9]{32,}'],
  ['databricks-token', 'dapi', '[a-f0-9]{32}'],
  ['webhook-secret', 'whsec_', '[A-Za-z0-9+/=]{16,}'],
  ['age-key', 'AGE-SECRET-KEY-1', '[A-Z0-9]{40,}'],
  ['telegram-token', '\\d{8,10}:AA', '[\\w-]{32,}'],
];

const SECRET_NAME =
  '(?:api[_-]?key|access[_-]?key|secret[_-]?key|private[_-]?key|encryption[_-]?key|signing[_-]?key|auth[_-]?key|account[_-]?key|token|secret|passw(?:or)?d|passphrase|pwd|credentials?)';
/** Also as it stands inside of another string, escaped. */
const QUOTE = '(?:\\\\{0,3}["\'])';
const UNQUOTED = '[^\\s"\'`,;<>(){}\\[\\]«»\\\\]';

/** Short passwords stand behind such flags: whatever is no word, no variable and nothing to be filled in. */
const isTyped = (value: string): boolean => !isPlain(value) && !/^[A-Z_]+$|[$<>{}*]|^(?:\.\.\.|xxx)/.test(value);
/** As it is typed behind a flag, in quotes or without. */
const TYPED = '(?:(?<quote>["\'])(?<quoted>[^"\'\\r\\n«»]{4,})\\k<quote>|(?<value>[^\\s"\'`|;&«»\\\\]{4,}))';
/** Letters of both cases and digits, and no path made of words. */
const isRandom = (value: string): boolean =>
  /[a-z]/.test(value) &&
  /[A-Z]/.test(value) &&
  /\d/.test(value) &&
  !value.split(/[/+]/).every((piece) => /^(?:[A-Z]?[a-z]{2,}|[A-Za-z]\d{1,2})*$/.test(piece));
/** `user:password`, as registries want it. */
const isUserAndPassword = (value: string): boolean =>
  /^[\x21-\x39\x3b-\x7e]+:[\x20-\x7e]+$/.test(Buffer.from(value, 'base64').toString('latin1'));

const SHAPES: readonly SecretShape[] = [
  {
    kind: 'private-key',
    hints: ['private key'],
    always: true,
    pattern: /-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----\s*(?<value>[^«»]+?)\s*-----END/g,
  },
  {
    // Before the id beside it is hidden: forty characters alone could be anything.
    kind: 'aws-secret',
    hints: ['akia', 'asia', 'abia', 'acca', 'aws', 'secretaccess', 'secret_access'],
    always: isRandom,
    pattern:
      /(?:\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b|\b(?:aws|AWS)\b|[sS]ecret_?[aA]ccess_?[kK]ey)[^«»]{0,120}?(?<![A-Za-z0-9/+=])(?<value>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/g,
  },
  {
    kind: 'webhook',
    hints: ['hooks.slack.com', '/api/webhooks/'],
    always: true,
    pattern:
      /(?:hooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)|discord(?:app)?\.com\/api\/webhooks)\/(?<value>[A-Za-z0-9]{6,}\/[\w/-]{16,})/g,
  },
  {
    kind: 'docker-auth',
    hints: ['"auth"'],
    always: isUserAndPassword,
    pattern: /\\{0,3}"auth\\{0,3}"\s*:\s*\\{0,3}"(?<value>[A-Za-z0-9+/]{8,}={0,2})\\{0,3}"/g,
  },
  {
    kind: 'xml-password',
    hints: ['word>', 'wd>', 'key>', 'token>', 'secret>', 'phrase>', 'credential>', 'credentials>'],
    always: isTyped,
    pattern: new RegExp(`<(?:[\\w-]+:)?[\\w.-]*${SECRET_NAME}(?:\\s[^<>]*)?>\\s*(?<value>[^\\s<>«»]{4,})\\s*</`, 'gi'),
  },
  {
    kind: 'xml-password',
    hints: ['value='],
    pattern: new RegExp(`\\b(?:key|name)="[\\w.:-]*${SECRET_NAME}[\\w.:-]*"\\s+value="(?<value>[^"\\s«»]{6,})"`, 'gi'),
  },
  {
    kind: 'typed-password',
    hints: ['mysql', 'mariadb', 'mycli'],
    always: isTyped,
    pattern: new RegExp(`\\b(?:(?:mysql|mariadb)[\\w-]*|mycli)(?=\\s)[^\\n|;&«»]*?\\s-p${TYPED}`, 'g'),
  },
  {
    kind: 'typed-password',
    hints: ['sshpass', 'redis-cli', 'mongosh'],
    always: isTyped,
    pattern: new RegExp(`\\b(?:sshpass\\s+-p|redis-cli\\b[^\\n|;&«»]*?\\s(?:-a|--pass)|mongosh?\\b[^\\n|;&«»]*?\\s-p)[ =]?${TYPED}`, 'g'),
  },
  {
    kind: 'typed-password',
    hints: ['curl ', 'http ', 'https ', 'xh '],
    always: isTyped,
    pattern:
      /\b(?:curl|https?|xh)(?=\s)[^\n|;&«»]*?\s(?:-u|--user|--proxy-user|-U|-a|--auth)[ =]?["']?[^\s:"'`$«»/]{1,64}:(?<value>[^\s"'`$«»]{4,})/g,
  },
  ...MAKERS.map(([kind, prefix, rest]) => ({
    kind,
    hints: [literal(prefix)],
    always: true as const,
    pattern: new RegExp(`(?<![A-Za-z0-9_-])(?<value>${prefix}${rest})`, 'g'),
  })),
  { kind: 'jwt', hints: ['eyj'], always: true, pattern: /(?<![\w-])(?<value>eyJ[\w-]{10,}\.[\w-]{10,}(?:\.[\w-]*)?)/g },
  {
    kind: 'authorization',
    hints: ['authorization'],
    always: true,
    pattern:
      /authorization(?:\\{0,3}["'])?\s*[:=]\s*(?:\\{0,3}["'])?(?:(?:bearer|basic|token|digest|apikey)\s+)?(?<value>[\w.~+/=-]{8,})/gi,
  },
  { kind: 'bearer', hints: ['bearer'], pattern: /\bbearer\s+(?<value>[\w.~+/=-]{16,})/gi },
  {
    kind: 'api-key-header',
    hints: ['x-'],
    always: true,
    pattern: /\bx-(?:api-key|auth-token|access-token|goog-api-key)(?:\\{0,3}["'])?\s*[:=]\s*(?:\\{0,3}["'])?(?<value>[\w.~+/=-]{8,})/gi,
  },
  {
    kind: 'url-password',
    hints: ['://'],
    always: true,
    pattern: /\b[a-z][a-z0-9+.-]*:\/\/[^\s:/@«»]*:(?<value>[^\s/@«»<>${}*]{3,})(?=@)/gi,
  },
  {
    kind: 'query-parameter',
    hints: ['token=', 'key=', 'secret=', 'signature=', 'sig=', 'password=', 'code='],
    pattern: new RegExp(`[?&](?:[\\w-]*(?:token|key|secret|password|signature)|sig|auth|code)=(?<value>[^\\s&#"'<>«»\`]{8,})`, 'gi'),
  },
  {
    kind: 'assignment',
    hints: ['key', 'token', 'secret', 'passw', 'passphrase', 'pwd', 'credential'],
    pattern: new RegExp(
      `${SECRET_NAME}[\\w-]{0,20}${QUOTE}?\\s{0,3}(?:=>|:=|[=:])\\s{0,3}(?:(?<quote>\\\\{0,3}["'\`])(?<quoted>[^"'\`\\r\\n«»\\\\]{8,}?)\\k<quote>|(?<value>${UNQUOTED}{8,}))`,
      'gi',
    ),
  },
  {
    kind: 'assignment',
    hints: ['_key'],
    pattern: new RegExp(`(?<![A-Za-z0-9])[A-Z][A-Z0-9_]*_KEY=["']?(?<value>${UNQUOTED}{8,})`, 'g'),
  },
];

/** The beginning of a prefix that is the same in every spelling of it, for the cheap look beforehand. */
function literal(prefix: string): string {
  const plain = /^(?:\\.|[A-Za-z0-9_-])*/.exec(prefix)?.[0] ?? '';
  return prefix.startsWith('\\d') ? ':aa' : plain.replaceAll('\\', '').toLowerCase();
}

type ReplaceSecret = (kind: string, value: string) => string;

/** The text with whatever looks like a secret given another form. What a placeholder stands in is left alone. */
export function withoutShapes(text: string, replace: ReplaceSecret): string {
  const folded = text.toLowerCase();
  const likely = SHAPES.filter(({ hints }) => hints.some((hint) => folded.includes(hint)));
  return likely.reduce(
    (rest, shape) =>
      rewritePlaceholders(
        rest,
        (standing) => standing.text,
        (words) => withoutShape(words, shape, replace),
      ),
    text,
  );
}

const withoutShape = (text: string, { kind, pattern, always }: SecretShape, replace: ReplaceSecret): string =>
  text.replace(pattern, (...found) => {
    const [whole] = found;
    const value = valueIn(found.at(-1));
    const tells = always === true ? () => true : (always ?? tellsOfSecret);
    if (value === '' || !tells(value)) return whole;
    const at = whole.lastIndexOf(value);
    return `${whole.slice(0, at)}${replace(kind, value)}${whole.slice(at + value.length)}`;
  });

function valueIn(groups: unknown): string {
  if (typeof groups !== 'object' || groups === null) return '';
  if ('value' in groups && typeof groups.value === 'string') return groups.value;
  return 'quoted' in groups && typeof groups.quoted === 'string' ? groups.quoted : '';
}

/** Code is full of `token = next()` and `password: null`: only what no word, number, path or reference looks like is a secret. */
const tellsOfSecret = (value: string): boolean =>
  !isPlain(value) && /\d/.test(value) && /[A-Za-z]/.test(value) && !/^(?:[$%]|process\.|os\.|env\.|https?:|[a-z]+\.[a-z]+\.)/i.test(value);
