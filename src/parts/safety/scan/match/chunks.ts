import type { Token } from '../text/words.ts';
import type { Mark } from './marks.ts';

/** What can be told of a piece between two blanks: a path, a variable, an address, an operator. */
const CHUNKS: readonly { readonly concept: string; readonly is: RegExp }[] = [
  { concept: 'url', is: /\b(?:https?|wss?|ftp):\/\/(?!(?:localhost|127\.|0\.0\.0\.0|\[::1\]))[^\s/"'`)>]{3,}/ },
  { concept: 'url', is: /\b\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}:\d{2,5}\b/ },
  { concept: 'mail', is: /[\w.+-]{1,64}@[a-z0-9-]{1,63}\.[a-z0-9.-]{2,63}/ },
  { concept: 'envfile', is: /(?:^|[^\w.])\.env(?:\.(?!example|sample|template|dist|test|tpl|defaults?|schema)[\w-]{1,20})?(?![\w.-])/ },
  {
    concept: 'secretfile',
    is: /\.aws(?:\/|\\)|\.a\?s\/|(?:^|[/\\])id_(?:rsa|ed25519|ecdsa|dsa|\*)(?!\w)(?!\.pub)(?!_new)|\.netrc|\.pgpass|\.git-credentials|\.npmrc|\.pypirc|\.kube\/config|\.docker\/config|\.do\*er|password-store|local\/share\/keyrings|cookies\.sqlite|login(?:s\.json| data)|key[34]\.db|wallet\.dat|\.kdbx|\/etc\/shadow|(?:^|[/~])\.gnupg|\.ssh\/(?:\*|id_|\.\.\.|$)|secring|master\.key|credentials\.json|gcloud\/|\.config\/gh|hosts\.yml|auth\.json|seed\*phrase|\.azure|service-account|\.hermes\/\.env|\.vault-token|\.terraform\.d|\.keystore|\.p12\b|\.pfx\b/,
  },
  { concept: 'secretfile', is: /(?:^|[/\\~])\.?(?:cred\*|credentials)(?:$|["'`)\s,;:])/ },
  {
    concept: 'agentfile',
    is: /(?:^|[/"'`(])(?:agents|claude|soul|memory|user|gemini|copilot-instructions|skill)\.md\b|\.cursorrules|\.hermes\.md|\.windsurfrules|\.clinerules|\.claude\/|\.hermes\/|\.cursor\/|\.codex\/|\.gemini\/|mcpservers|mcp\.json|settings\.local\.json|\.aider|allowed-files\.json/,
  },
  { concept: 'soulfile', is: /(?:^|[/"'`(])(?:soul|memory|user)\.md\b/ },
  { concept: 'key', is: /[\w-]\.pub\b/ },
  {
    concept: 'autoapprove',
    is: /auto_?-?approv\w*"?\s*[:=]?|--yolo\b|dangerously-?_?skip|approvals?[._-](?:mode|off|policy)|"?yolo"?\s*[:=]|bypasspermissions|skip-permissions|--no-confirm|always-?_?allow|trust_?all/,
  },
  {
    concept: 'startup',
    is: /\.(?:bashrc|zshrc|profile|bash_profile|zprofile|zshenv|bash_login|xinitrc|config\/fish)\b|crontab|\/etc\/cron|systemd\/(?:user|system)|launchagents|launchdaemons|rc\.local|\/etc\/profile|autostart|sitecustomize|usercustomize|\.git\/hooks|hookspath|post-(?:checkout|merge|commit)\b|\.config\/autostart|prompt_command|init\.d\/|\.vimrc|\.tmux\.conf|currentversion\\run|schtasks|\.pam_environment|conftest\.py/,
  },
  {
    concept: 'preload',
    is: /ld\.so\.preload|ld_preload=|pythonstartup=|\/etc\/environment|node_options=--require|bash_env=|dyld_insert|perl5opt=/,
  },
  { concept: 'authkeys', is: /authorized_keys/ },
  { concept: 'intofile', is: /^(?:>>|tee$)|>>$/ },
  {
    concept: 'history',
    is: /\.(?:bash|zsh|python|psql|mysql|sh)_history|histfile|histsize=0|histcontrol|\bhistory$|auth\.log|\/var\/log\/(?:audit|auth|secure|wtmp|syslog)|auditctl|lastlog|\bwtmp\b|utmp/,
  },
  {
    concept: 'template',
    is: /<\|(?:im_start|im_end|start|end|message|system|user|assistant|channel|endoftext|begin_of_text|start_header_id|eot_id|developer)[^|<>\n]{0,20}\|>|\[\/?inst\]|<<\/?sys>>|<(?:start|end)_of_turn>/,
  },
  {
    concept: 'speaker',
    is: /^<\/?(?:system|assistant|developer)>|^\[\/?(?:system|admin|developer)[:\]]|<\/?system-?_?(?:message|prompt|reminder|override)>|^###?(?:system|instruction):?$/,
  },
  { concept: 'revshell', is: /\bmkfifo\b|\bpty\.spawn|socket\.socket\(|\bngrok\b|\bchisel\b|\bfrpc\b|cloudflared/ },
  { concept: 'secretvar', is: /\$\{?(?:env:)?\w{0,40}(?:key|token|secret|passw|credential|apikey)\w{0,20}/ },
  {
    concept: 'wholeenv',
    is: /stringify\(process\.env\)|dict\(os\.environ\)|environ\.(?:copy|items)\(|=\s?os\.environ\b(?![[.])|\.\.\.process\.env\b/,
  },
  { concept: 'inquery', is: /https?:\/\/[^\s?]{3,200}\?[\w.&=-]{0,80}=(?:[<{[]|\$[{(])/ },
  { concept: 'hiddenpath', is: /(?:\/tmp|\/var\/tmp|\/dev\/shm)\/\.\w|(?:^|[/`"'])tools\/\.\w|\/\.\w+\.(?:sh|py|so)\b|\/\.\w+\/\.\w/ },
  { concept: 'secretname', is: /(?:^|[^\w$])[a-z]\w{0,30}_(?:key|token|secret|password|passwd|credentials)\b/ },
  { concept: 'setuid', is: /nopasswd|\/etc\/sudoers|usermod$|useradd$|chpasswd/ },
];
const CANDIDATE =
  /[./~$@:=><[|*\\_-]|^crontab$|^mkfifo$|^tee$|^history$|^useradd$|^usermod$|^nopasswd|^adduser$|autostart|mcpservers|autoapprov|lastlog/;
const LONGEST = 400;
const unquoted = (chunk: string): string => (/^["'`(]/.test(chunk) ? chunk.replace(/^["'`(]+/, '') : chunk);

/** One pass over the pieces between blanks; long pieces are read in slices. */
export function chunkMarks(text: string, tokens: readonly Token[], places: Uint8Array): readonly Mark[] {
  const found: Mark[] = [];
  let token = 0;
  let pos = 0;
  for (let at = 0; at < text.length;) {
    if (text.charCodeAt(at) <= 32) {
      at++;
      continue;
    }
    let end = at + 1;
    while (end < text.length && end - at < LONGEST && text.charCodeAt(end) > 32) end++;
    const chunk = unquoted(text.slice(at, end));
    if (chunk !== '' && CANDIDATE.test(chunk)) {
      for (let next = tokens[token]; next !== undefined && next.at < end; next = tokens[++token])
        pos = next.at <= at || next.at < end ? next.pos : pos;
      for (const { concept, is } of CHUNKS) if (is.test(chunk)) found.push({ concept, pos, at, end, place: places[at] ?? 0 });
    }
    at = end;
  }
  return found;
}
