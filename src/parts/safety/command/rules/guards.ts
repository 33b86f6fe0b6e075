import type { CommandRule } from '../call/call.ts';
import { ask, toWordSet, listOperands, askAboutVerbs } from './rows.ts';
import { DISKS, FIREWALLS, MACHINE, MOUNTS } from './vendors/machine.ts';
import { askBeyondWays } from './ways.ts';

/** Variables that make programs load or run something else first. */
const PRELOADS = toWordSet(`
  LD_PRELOAD LD_AUDIT DYLD_INSERT_LIBRARIES BASH_ENV ENV PROMPT_COMMAND PERL5OPT PERL5DB RUBYOPT PYTHONSTARTUP PYTHONWARNINGS
  PYTHONBREAKPOINT GIT_SSH_COMMAND GIT_SSH GIT_EXTERNAL_DIFF GIT_PROXY_COMMAND GIT_CONFIG GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM
  GIT_CONFIG_COUNT GIT_TEMPLATE_DIR GIT_ASKPASS SSH_ASKPASS LESSOPEN LESSCLOSE PS4 BROWSER NODE_OPTIONS JAVA_TOOL_OPTIONS _JAVA_OPTIONS
  CLASSPATH_PREFIX HERMES_YOLO_MODE
`);
/** Values of those that everybody sets. */
const USUAL: readonly RegExp[] = [
  /^NODE_OPTIONS=['"]?(?:--(?:max-old-space-size|max_old_space_size|experimental-[\w-]+|no-warnings|openssl-legacy-provider|trace-[\w-]+|enable-source-maps|unhandled-rejections|inspect)\S*\s*)+$/,
  /^GIT_CONFIG\w*=\/dev\/null$/,
  /^(?:PS4|BROWSER)=[\w+: .$-]*$/,
  /^PYTHONWARNINGS=\w+/,
  /^PYTHONBREAKPOINT=(?:0|i?pu?db\.\w+)$/,
  /^GIT_SSH_COMMAND=ssh(?: -[a-zA-Z]\s?[\w=/.~-]*)*$/,
  /^_?JAVA_(?:TOOL_)?OPTIONS=-[XD]/,
];
const nameOf = (setting: string): string => setting.slice(0, Math.max(0, setting.indexOf('=')));
const isPreload = (setting: string): boolean =>
  PRELOADS.has(nameOf(setting)) && !setting.endsWith('=') && !USUAL.some((usual) => usual.test(setting));

/** Variables by which a shell remembers, and values that make it forget. */
const MEMORY = toWordSet('HISTFILE HISTSIZE HISTFILESIZE PROMPT_COMMAND TMOUT');
const FORGETS: readonly RegExp[] = [
  /^HISTFILE=(?:\/dev\/null)?$/,
  /^(?:HISTSIZE|HISTFILESIZE|SAVEHIST)=0/,
  /^HISTCONTROL=.*(?::|\*)/,
  /^HISTIGNORE=.*\*/,
];
/** Settings that switch the checks of connections off. */
const UNCHECKED =
  /^(?:NODE_TLS_REJECT_UNAUTHORIZED=0|PYTHONHTTPSVERIFY=0|GIT_SSL_NO_VERIFY=(?!0|false|$)|CURL_INSECURE=.|KUBECONFIG=\/tmp)/;
/** The same as a key of some tool's own settings. */
const UNCHECKED_KEY =
  /(?:strict-?ssl|ssl[-_]?verify|verify[-_]?ssl|tls[-_]?verify|check[-_]cert\w*|secure-http|gpgcheck|verify[-_]signatures?|certificate[-_]?verification)\W+(?:false|0|no|none|off)\b|(?:disable-tls|insecure|allow-insecure\w*|skip[-_]?(?:tls|ssl)[-_]?verify)\W+(?:true|1|yes)\b/i;
const declares = (name: string): boolean => /^(?:export|declare|typeset|readonly|local)$/.test(name);

/** Guards switched off, traces removed, the machine's own settings turned. */
export const GUARDS: readonly CommandRule[] = [
  askBeyondWays('guard_off', 'it turns off or changes a guard of this machine', FIREWALLS),
  askBeyondWays('network_settings', "it changes this machine's network, clock or name", MACHINE),
  askBeyondWays('mounts', 'it mounts or releases a file system', MOUNTS),
  askBeyondWays('disk_touched', 'it changes how a disk works, or puts it to rest', DISKS),
  askAboutVerbs('guard_off', 'it turns off a guard of this machine', {
    apparmor_parser: /-R|--remove/,
    clamscan: /--remove/,
    rkhunter: /--propupd/,
    aide: /--init|--update/,
    tripwire: /--update|--init/,
    snort: /-[kK]/,
    debsums: /--generate/,
    'ssh-keygen': /(?:^|\s)-R\b/,
    'ssh-add': /(?:^|\s)-D\b/,
    gpgconf: /--kill/,
    gpg: /--delete-(?:secret-)?keys?|--delete-secret-and-public/,
    nvram: /^(?!-p)/,
    sysctl: /-w|=|--write|-p|--system/,
    fdesetup: /disable|remove/,
    gsettings: /\b(?:set|reset)\b.*(?:lock|security|privacy|proxy|screensaver|remote-desktop|autorun|idle-delay)/,
    defaults: /^(?:write|delete|import)\b/,
    dconf: /^(?:write|reset|load)\b/,
    'Set-ExecutionPolicy': /bypass|unrestricted/i,
    wevtutil: /\bcl\b/i,
    fsutil: /usn/i,
    netsh: /firewall|advfirewall/i,
  }),
  askAboutVerbs('traces', 'it removes traces of what was done', {
    history: /(?:^|\s)-[a-z]*[cwd]/,
    journalctl: /--(?:vacuum|rotate|flush|relinquish|sync)/,
    dmesg: /(?:^|\s)-[a-zA-Z]*[cCDn]\b|--clear|--console/,
    lastlog: /-C|--clear/,
    logrotate: /-f|--force/,
    wtmpclean: true,
    utmpdump: /-r/,
    log: /erase/,
    auditd: true,
    syslogd: true,
  }),
  ask(
    'traces',
    'it keeps the shell from remembering',
    (name, args, { settings }) =>
      (name === 'unset' && args.some((word) => MEMORY.has(word) || word.startsWith('AUDIT'))) ||
      [...settings, ...(declares(name) ? args : [])].some((word) => FORGETS.some((each) => each.test(word))) ||
      (name === 'set' && /(?:^|\s)\+o\s+history/.test(args.join(' '))) ||
      (name === 'shopt' && /-u\s+(?:histappend|cmdhist)/.test(args.join(' '))),
  ),
  ask('preload', 'it makes programs load or run something else first', (name, args, { settings }) =>
    [...settings, ...(/^(?:export|env|declare|typeset|sudo)$/.test(name) ? args : [])].some(isPreload),
  ),
  ask(
    'guard_off',
    'it switches the checks of connections off',
    (name, args, { settings }) =>
      [...settings, ...(declares(name) ? args : [])].some((word) => UNCHECKED.test(word)) ||
      (args.some((word) => /^(?:config|set|configure|--set)$/.test(word)) && UNCHECKED_KEY.test(args.join(' '))),
  ),
  ask('guard_off', 'it goes round a check', (name, args) => {
    const said = args.join(' ');
    if (name === 'git') return goesRound(said);
    if (/^(?:ssh|scp|sftp|rsync|autossh)$/.test(name))
      return /StrictHostKeyChecking[= ](?:no|off|accept-new)\b|UserKnownHostsFile[= ]\/dev\/null|CheckHostIP[= ]no/i.test(said);
    if (/^pip[\d.]*$|^(?:uv|pipx)$/.test(name)) return args.includes('--break-system-packages');
    if (AGENTS.has(name)) return args.some((word) => UNWATCHED.test(word));
    return name === 'gh' && GH_CHECKS.some((each) => each.test(said));
  }),
  ask('unknown_command', 'which command it runs is only known when it runs', (name) => /[\uE000-\uE003]/.test(name)),
  ask(
    'powershell',
    'it deletes or runs hidden code in another shell',
    (name, args) =>
      (POWERSHELL.has(name.toLowerCase()) && !isElixir(name, args)) ||
      (/^(?:powershell|pwsh)$/i.test(name) && args.some((word) => /^-e(?:nc|ncodedcommand)?$/i.test(word))),
  ),
  ask(
    'source_unknown',
    'it runs what another machine or program writes',
    (name, args) => /^(?:source|\.)$/.test(name) && listOperands(args)[0] === '\uE000',
  ),
];

/** Other agents, and what makes them act without asking anybody. */
const AGENTS = toWordSet(
  'claude codex gemini opencode aider goose cursor-agent amp crush qwen copilot cline droid q auggie kiro-cli openhands',
);
const UNWATCHED =
  /^--(?:dangerously[\w-]*|allow-dangerously[\w-]*|yolo|full-auto|trust-all-tools|allow-all-tools|yes-always|dangerous|skip-permissions\S*)$|^-y$|yolo|danger-full-access|bypassPermissions/;
/** What in git goes round its hooks, its signatures or its owner check. */
const goesRound = (said: string): boolean =>
  /\b(?:commit|push|merge|am|rebase|cherry-pick)\b.*--no-verify\b/.test(said) ||
  /\bcommit\s+(?:.*\s)?-[a-z]*n[a-z]*(?:\s|$)/.test(said) ||
  /\bconfig\b.*(?:commit\.gpgsign|tag\.gpgsign|transfer\.fsckobjects|receive\.deny\w+|protocol\.\w+\.allow)\s+\S+/i.test(said) ||
  /\bconfig\b.*safe\.directory\s+['"]?[*\uE001]/i.test(said);
const GH_CHECKS: readonly RegExp[] = [
  /pr\s+merge\b.*--admin/,
  /workflow\s+disable/,
  /repo\s+deploy-key/,
  /api\b.*\/actions\/permissions/,
  /api\b.*branches\/.*protection/,
  /auth\s+(?:logout|login.*--with-token)/,
  /ruleset\s+(?:delete|edit)/,
];
/** The shell of Elixir has the name of a command of another. */
const isElixir = (name: string, args: readonly string[]): boolean =>
  name === 'iex' && (args.length === 0 || (args[0] ?? '').startsWith('-'));
const POWERSHELL = toWordSet(`
  remove-item stop-process clear-disk format-volume invoke-expression iex stop-computer restart-computer clear-content clear-recyclebin
  set-mppreference del erase rd stop-service remove-itemproperty disable-netfirewallrule set-netfirewallprofile remove-adobject
  remove-aduser disable-adaccount
`);
