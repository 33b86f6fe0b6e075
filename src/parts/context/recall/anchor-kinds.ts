/** Exact facts that can be told by their form alone, in any language. */
export type AnchorKind =
  | 'path'
  | 'command'
  | 'url'
  | 'sha'
  | 'uuid'
  | 'ticket'
  | 'port'
  | 'version'
  | 'ip'
  | 'env'
  | 'quoted'
  | 'setting'
  | 'error'
  | 'exit'
  | 'test'
  | 'number';

/**
 * How a kind is found in lines of text. Every expression is bounded and begins only at the beginning of a word, so that the time
 * grows with the text and with nothing else. The first group is the fact; without one the whole match is.
 */
export interface AnchorFinder {
  readonly kind: AnchorKind;
  readonly find: RegExp;
  /** Only in what people and the model said: in code and logs it is everywhere. */
  readonly saidOnly?: true;
  /** It may hold an address; the others are looked for beside addresses alone. */
  readonly whole?: true;
  accept?(fact: string): boolean;
}

const UNITS =
  'ms|µs|us|ns|s|sec|secs|seconds?|min|mins|minutes?|h|hours?|days?|weeks?|months?|years?|%|percent|[KMGT]i?B|bytes?|bits?|rps|qps|req/s|[KMG]?Hz|px|tokens?|rows?|users?|requests?|retries|workers?|threads?|connections?|replicas?|items?|lines?|files?|tests?|€|EUR|USD|dollars?|Sekunden?|Minuten?|Stunden?|Tage?|Prozent|秒|分钟|小时|天|個|个|条|行|件|倍';
const PROGRAMS =
  'npm|npx|pnpm|yarn|node|deno|bun|git|gh|docker|podman|kubectl|helm|make|cmake|cargo|go|python3?|pip3?|uv|poetry|pytest|ruff|curl|wget|ssh|scp|rsync|psql|mysql|redis-cli|sqlite3|systemctl|journalctl|terraform|ansible(?:-playbook)?|aws|gcloud|az|sudo|cat|ls|rm|mv|cp|sed|awk|grep|rg|find|bash|sh|tsc|jest|vitest|mvn|gradle|\\.\\/[\\w./-]{1,60}';
const FILE_ENDING = /\.[A-Za-z][\w]{0,9}$/;
/** Names of standards that look like tickets. */
const NO_TICKET = /^(?:UTF|ISO|SHA|MD|RFC|HTTP|TLS|AES|RSA|BM|GPT|CVE|X|P|V)-/;
/** A line of a program that may raise an error some day tells of none. */
const IN_CODE =
  /\b(?:raise|throw|throws|except|catch|rescue|import|extends|instanceof|class|new|def|func|fn|return)\s+[(\w.]*(?:Error|Exception)|\bcatch\s*\(|\((?:Error|Exception)\)|\.catch\(/;
const ON_OFF = /^["'`]?(?:true|false|on|off|yes|no|null|none|enabled|disabled|ja|nein)["'`]?$/i;

export const ADDRESS = /\b[a-z][a-z0-9+.-]{1,15}:\/\/[^\s"'`<>()[\]{}|\\^]{2,300}/gi;

export const FINDERS: readonly AnchorFinder[] = [
  { kind: 'url', find: ADDRESS, whole: true },
  { kind: 'path', find: /(?<![\w./~@+-])(?:~|\.{1,2})?(?:\/[\w.@+-]{1,80}){1,24}\/?/g, accept: (fact) => fact.length > 4 },
  { kind: 'path', find: /(?<![\w./~@+-])[\w.@+-]{1,80}(?:\/[\w.@+-]{1,80}){1,24}\/?/g, accept: isRelative },
  {
    kind: 'path',
    find: /(?<![\w./~@+-])[\w-]{1,60}(?:\.[\w-]{1,30}){0,3}\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|rb|php|c|h|cpp|cs|swift|sh|sql|md|txt|json|ya?ml|toml|ini|conf|cfg|env|lock|log|csv|html?|s?css|xml|proto|tf|vue|db|sqlite|pem|service)\b(?![\w/])/g,
  },
  { kind: 'path', find: /(?<!\w)[A-Za-z]:\\(?:[\w.@+-]{1,80}\\){0,20}[\w.@+-]{1,80}/g },
  { kind: 'command', whole: true, find: /^[ \t]{0,8}[$❯][ \t]{1,3}(\S.{1,300})$/gm },
  {
    kind: 'command',
    whole: true,
    find: new RegExp(`\`((?:${PROGRAMS})(?: [^\`\\n]{1,200})?)\``, 'g'),
    accept: (fact) => fact.includes(' '),
  },
  { kind: 'uuid', find: /(?<![\w-])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![\w-])/gi },
  { kind: 'sha', find: /(?<![\w-])[0-9a-f]{7,64}(?![\w-])/g, accept: (fact) => /\d/.test(fact) && /[a-f]/.test(fact) },
  { kind: 'ticket', find: /(?<![\w-])[A-Z][A-Z0-9]{1,9}-\d{1,7}(?![\w-])/g, accept: (fact) => !NO_TICKET.test(fact) },
  { kind: 'ticket', find: /(?<![\w&#/])#\d{1,7}(?!\w)/g },
  { kind: 'ip', find: /(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?(?:\/\d{1,2})?(?![\w.]?\d)/g },
  {
    kind: 'port',
    find: /(?<![\w.@-])[A-Za-z][\w.-]{0,60}:\d{2,5}(?![\w.:]?\d)/g,
    accept: (fact) => !FILE_ENDING.test(fact.replace(/:\d+$/, '')),
  },
  { kind: 'port', find: /(?<![A-Za-z])ports?["'`]?[ :=]{1,3}["'`]?(?:is |was |to |number |auf |nach )?\d{2,5}(?!\w)/gi },
  { kind: 'version', find: /(?<![\w.])v?\d{1,4}\.\d{1,4}\.\d{1,6}(?:[-+][\w.]{1,30})?(?![\w.]?\d)/g },
  { kind: 'version', find: /(?<![\w.])v\d{1,4}(?:\.\d{1,4})?(?![\w.]?\d)/g },
  { kind: 'env', find: /(?<!\w)[A-Z][A-Z0-9]{1,30}(?:_[A-Z0-9]{1,30}){1,8}(?:=[^\s"'`,;]{1,100})?(?!\w)/g },
  {
    kind: 'quoted',
    find: /"([^"\n]{3,100})"|“([^”\n]{3,100})”|„([^“”\n]{3,100})[“”]|«([^»\n]{3,100})»|「([^」\n]{2,100})」/g,
    saidOnly: true,
    whole: true,
  },
  { kind: 'quoted', find: /`([^`\n]{2,100})`/g, saidOnly: true, whole: true },
  { kind: 'quoted', find: /(?<![\w'])'([^'\n]{3,80})'(?!\w)/g, saidOnly: true, whole: true },
  {
    kind: 'setting',
    find: /(?<![\w.-])["']?[A-Za-z_][\w.-]{1,60}["']?[ \t]{0,2}[=:][ \t]{0,2}(?:"[^"\n]{1,80}"|[^\s,;"'(){}[\]=>:/][^\s,;"'(){}[\]]{0,80})/g,
    accept: isSetting,
  },
  { kind: 'exit', find: /\bexit(?:ed)?(?: with)?(?: code| status)?[ :=]{1,3}\d{1,3}(?!\w)/gi, accept: (fact) => !/\D0$/.test(fact) },
  { kind: 'test', find: /^[ \t]{0,16}(?:not ok \d{1,6} -|✖|✗|×|--- FAIL:|FAIL(?:ED)?:?)[ \t]{1,3}(\S.{1,200})$/gm },
  {
    kind: 'error',
    find: /^.{0,120}?(?:[A-Za-z]{0,40}(?:Error|Exception)\b|\b(?:panic|fatal|FATAL|Traceback|Segmentation fault|Caused by)\b|\b[Ee]rror(?:\[\w{1,12}\])?:|\bERR[_!]|\bE[A-Z]{4,14}\b(?<=E(?:CONN\w{3,9}|NO[A-Z]{3}|ACCES|ADDRINUSE|TIMEDOUT|PERM|EXIST|PIPE|MFILE))).{0,240}/gm,
    accept: (fact) => !IN_CODE.test(fact),
    whole: true,
  },
  { kind: 'number', find: new RegExp(`(?<![\\w.,])[$€]?\\d[\\d,._]{0,15}[ \u00a0-]?(?:${UNITS})(?![A-Za-z])`, 'g') },
  { kind: 'number', find: /(?<![\w.,])[$€]\d[\d,.]{0,15}(?!\w)/g },
];

/** "and/or" is no path. */
function isRelative(fact: string): boolean {
  return /[A-Za-z]/.test(fact) && (FILE_ENDING.test(fact) || fact.split('/').length > 2 || fact.endsWith('/'));
}

/** In prose a colon proves nothing: the value must look like one. */
function isSetting(fact: string): boolean {
  const value = fact.slice(fact.search(/[=:]/) + 1).trim();
  return fact.includes('=') || /\d/.test(value) || ON_OFF.test(value);
}
