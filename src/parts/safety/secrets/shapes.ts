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
  /** Anything at all that has this shape; else what reads like words, numbers or a reference is left alone. */
  readonly always?: true;
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
  ['age-key', 'AGE-SECRET-KEY-1', '[A-Z0-9]{40,}'],
  ['telegram-token', '\\d{8,10}:AA', '[\\w-]{32,}'],
];

const SECRET_NAME =
  '(?:api[_-]?key|access[_-]?key|secret[_-]?key|private[_-]?key|encryption[_-]?key|signing[_-]?key|auth[_-]?key|account[_-]?key|token|secret|passw(?:or)?d|passphrase|pwd|credentials?)';
/** Also as it stands inside of another string, escaped. */
const QUOTE = '(?:\\\\{0,3}["\'])';
const UNQUOTED = '[^\\s"\'`,;<>(){}\\[\\]«»\\\\]';

const SHAPES: readonly SecretShape[] = [
  {
    kind: 'private-key',
    hints: ['private key'],
    always: true,
    pattern: /-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----\s*(?<value>[^«»]+?)\s*-----END/g,
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
    if (value === '' || (always !== true && !tellsOfSecret(value))) return whole;
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
