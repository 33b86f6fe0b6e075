import { isInside, resolveTargetPath } from '../places/paths.ts';
import { isSecret } from '../places/sensitive.ts';
import type { CommandRule } from '../call/call.ts';
import { ask, hasFlag, listOperands, askAboutVerbs } from './rows.ts';

const SEARCHED =
  /pass(?:w(?:or)?d|phrase)?|secret|token|api.?key|private.?key|credential|BEGIN [\w( |)]*(?:PRIVATE|RSA|OPENSSH)|AKIA|ghp_|xox|sk-/i;
/** Columns and tables in which databases keep what opens them. */
const SECRET_COLUMNS =
  /\bselect\b(?:(?!\bfrom\b)[^;])*\b\w*(?:passw(?:or)?d|password_hash|authentication_string|rolpassword|secret|api_?key|access_?token|private_?key|credit_?card|ssn)\w*\b(?:(?!\bfrom\b)[^;])*\bfrom\b|\b(?:pg_authid|pg_shadow|mysql\.user|sys\.sql_logins|dba_users)\b/i;
const SQL =
  /^(?:psql|mysql|mariadb|sqlite3?|duckdb|sqlcmd|sqlplus|cockroach|clickhouse-client|usql|mycli|pgcli|litecli|docker|podman|kubectl|ssh|docker-compose)$/;

/** Looking at what is none of the agent's business: keys by their names, the screen, the keyboard, the clipboard. */
export const SPYING: readonly CommandRule[] = [
  ask(
    'secret_read',
    'it searches for secrets outside the working folder',
    (name, args, _call, place) =>
      /^(?:[ef]?grep|rg|ag|ack|ugrep)$/.test(name) &&
      (!name.endsWith('grep') || name === 'ugrep' || hasFlag(args, 'rR', '--recursive', '--dereference-recursive')) &&
      args.some((word) => SEARCHED.test(word)) &&
      listOperands(args).some((word) => {
        const path = /^[~/.]/.test(word) ? resolveTargetPath(word, place) : undefined;
        return path !== undefined && path !== place.base && !isInside(path, place) && !/^\/(?:tmp|usr)(?:\/|$)/.test(path);
      }),
  ),
  ask(
    'secret_read',
    'it shows a secret file as git keeps it',
    (name, args, _call, place) =>
      name === 'git' &&
      args.some((word) => /^(?:show|diff|log|blame|cat-file|grep|annotate|archive)$/.test(word)) &&
      !args.some((word) => /^--(?:stat|name-only|name-status|oneline|quiet|exit-code|shortstat)$/.test(word)) &&
      (!args.includes('log') || args.some((word) => /^(?:-p|-u|--patch|-G|-S)/.test(word))) &&
      args.some((word) => isSecret(resolveTargetPath(word.replace(/^[^:]*:(?!\/\/)/, '').replaceAll('*', 'x'), place) ?? '', place)),
  ),
  ask(
    'secret_read',
    'it searches the history for secrets',
    (name, args) =>
      name === 'git' &&
      args.includes('log') &&
      !args.includes('--') &&
      (!args.some((word) => /^--(?:oneline|stat|name-only|name-status)$/.test(word)) ||
        args.some((word) => /^(?:-p|-u|--patch)$/.test(word))) &&
      args.some((word, index) => /^-[SG]/.test(word) && SEARCHED.test(word.slice(2) || (args[index + 1] ?? ''))),
  ),
  ask(
    'secret_read',
    'it searches the history for secrets',
    (name, args) =>
      name === 'git' &&
      args.includes('grep') &&
      args.some((word) => SEARCHED.test(word)) &&
      args.some((word) => /^[\uE000\uE003]/.test(word) || word === '--all'),
  ),
  ask(
    'secret_read',
    'it reads passwords or tokens out of a database',
    (name, args, { fed }) => SQL.test(name) && SECRET_COLUMNS.test([...args, ...fed].join('\n').slice(0, 20_000)),
  ),
  askAboutVerbs('secret_read', 'it shows what opens other doors', {
    nmcli: /(?:^|\s)(?:-s|--show-secrets)\b|802-11-wireless-security\.psk/,
    wg: /\b(?:showconf|private-key|genkey)\b/,
    rclone: /\bconfig\s+(?:show|dump|reveal)|\breveal\b/,
    dotenv: /\blist\b/,
    'redis-cli': /config\s+get\s+(?:requirepass|masterauth|\*)|acl\s+(?:list|getuser)/i,
    pg_dumpall: true,
    terraform: /state\s+pull|output\b.*(?:-raw|password|secret|token)/,
    gcloud: /service-accounts\s+keys\s+create|auth\s+print/,
    glab: /auth\s+status.*(?:-t\b|--show-token)/,
    git: /config\b.*(?:--get\S*\s+)http\..*extraheader/i,
    docker: /inspect\b.*\.Config\.Env/,
    helm: /get\s+(?:values|all)\b.*(?:-a|--all)/,
    mimikatz: true,
    pulumi: /--show-secrets|config\s+get\b|config\b.*--show/,
    op: /signin\b.*--raw/,
    aws: /get-function(?:-configuration)?\b.*Environment|ssm\s+get-parameters\S*\b.*--with-decryption/,
    pbpaste: true,
    'wl-paste': true,
    xclip: /(?:^|\s)-o(?:ut)?(?:\s|$)/,
    xsel: /(?:^|\s)(?:-[a-z]?o[a-z]?|--output)(?:\s|$)/,
    az: /ad\s+sp\s+create-for-rbac|connection-string|show-connection/,
    systemctl: /show-environment/,
    snap: /get\b.*secret/,
    cmdkey: /list/i,
    'ssh-keygen': /(?:^|\s)-[a-zA-Z]*p\b/,
  }),
  askAboutVerbs('spying', 'it records the screen, the keyboard, the microphone or the camera', {
    scrot: true,
    maim: true,
    grim: true,
    flameshot: true,
    screencapture: true,
    'gnome-screenshot': true,
    spectacle: true,
    import: /-window/,
    xwd: true,
    arecord: true,
    parec: true,
    rec: true,
    fswebcam: true,
    streamer: true,
    recordmydesktop: true,
    ffmpeg: /-f\s+(?:v4l2|x11grab|pulse|alsa|avfoundation|dshow|gdigrab|kmsgrab)/,
    xinput: /test/,
    logkeys: true,
    evtest: true,
    xev: true,
    zenity: /--password/,
    kdialog: /--password/,
    script: /(?:^|\s)-\w*f\b|--flush/,
  }),
];
