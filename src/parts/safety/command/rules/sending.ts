import { isInside, isTemporary, resolveTargetPath } from '../places/paths.ts';
import type { ShellContext } from '../places/shell-context.ts';
import type { Call, CommandRule } from '../call/call.ts';
import { MARK } from '../values/marks.ts';
import { ask, listOperands, listFlagValues, askAboutVerbs } from './rows.ts';

export const LOCAL =
  /^(?:\w+:\/\/)?(?:[\w.-]+@)?(?:localhost|127(?:\.\d+){1,3}|\[?::1\]?|0\.0\.0\.0|host\.docker\.internal|[\w-]+\.(?:local|test|localhost|internal))(?:[:/]|$)|^:\d+/i;
/** A machine named by a public number: nobody's server of every day. */
export const NUMBERED =
  /(?:^|@|\/\/)(?!0\.|10\.|127\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|169\.254\.)(?:\d{1,3}\.){3}\d{1,3}(?=$|[:/\s])/;
/** Files that hold much: databases, dumps, archives, mail, logs of everything. */
const HOARD = /\.(?:db|sqlite3?|sql|dump|bak|rdb|mdb|csv\.gz|sql\.gz|tar(?:\.\w+)?|tgz|zip|7z|pcap|mbox|pst|kdbx|wallet|dat|bundle)$/i;
const DUMPS = /^(?:pg_dump|pg_dumpall|mysqldump|mariadb-dump|mongodump|redis-cli|sqlite3)$/;
const SENDERS = /^(?:nc|ncat|netcat|socat|telnet|ssh|scp|sftp|rsync|ftp|lftp|tftp|curl|wget|http|https|xh|logger|openssl)$/;
/** Bodies of a request that are a message rather than a file. */
const MESSAGE = /\.(?:json|xml|graphql|gql|ya?ml|txt|form|http|jq|query)$/i;

/** Its short options mean other things: `-T` is a time-out. */
export const WGET_UPLOADS = /^--(?:post|body)-file$/;
/** A file among the words of a request: behind `-T`, `-F name=@`, `--data-binary @`. */
function uploaded(name: string, args: readonly string[]): readonly string[] {
  if (name === 'wget') return listFlagValues(args, WGET_UPLOADS).filter((file) => !MESSAGE.test(file));
  return args.flatMap((word, index) => {
    const before = args[index - 1] ?? '';
    if (/^(?:-[a-zA-Z]*T|--upload-file)$/.test(before)) return [word];
    if (/^(?:-[a-zA-Z]*F|--form)$/.test(before)) return /^[^=]+=[@<](.+?)(?:;.*)?$/.exec(word)?.[1] ?? [];
    const body = /^(?:-[a-zA-Z]*d|--data(?:-binary|-raw|-ascii|-urlencode)?|--json)$/.test(before)
      ? /^(?:[\w-]*=?)@(.+)$/.exec(word)?.[1]
      : /^--(?:post-file|body-file|upload-file|data-binary|data)=@?(.+)$/.exec(word)?.[1];
    return body === undefined || MESSAGE.test(body) ? [] : [body];
  });
}
/** A body that is nothing but what another command puts out. */
const isFilled = (args: readonly string[]): boolean =>
  args.some(
    (word, index) =>
      (word.startsWith(MARK.unknown) || word.startsWith(MARK.name)) &&
      /^(?:-[a-zA-Z]*d|--data(?:-binary|-raw|-ascii)?|--post-data)$/.test(args[index - 1] ?? ''),
  );
const isElsewhere = (args: readonly string[]): boolean =>
  args.some((word) => /^(?:\w+:\/\/)?[\w-]+(?:\.[\w-]+)+(?:[:/]|$)|:\/\//.test(word)) && !args.some((word) => LOCAL.test(word));
/** What a build made may be handed on; that is what it was made for. */
const BUILT = /^(?:\.\/)?(?:dist|build|target|out|release|releases|pkg|artifacts|public|\.next|coverage)\/.*\.(?:tar(?:\.\w+)?|tgz|zip)$/;
const isHoard = (word: string): boolean => HOARD.test(word) && !BUILT.test(word);
const isRemote = (word: string): boolean => /^(?:[\w.-]+@)?[\w.-]+:(?!\\)/.test(word);
const hasData = ({ piped, reads, fed }: Call): boolean => piped || reads.length > 0 || fed.length > 0;

/** What leaves this machine although it lies in the working folder. */
export const SENDING: readonly CommandRule[] = [
  ask(
    'data_sent',
    'it packs files from outside the working folder for somebody else',
    (name, args, { feeds }, place) =>
      feeds &&
      /^(?:tar|zip|cpio|7z)$/.test(name) &&
      !args.some((word) => /^-?[a-zA-Z]*[xt][a-zA-Z]*f?$|^--(?:extract|list)/.test(word)) &&
      listOperands(args).some(
        (word) =>
          /^[/~]/.test(word) &&
          !isInside(resolveTargetPath(word, place) ?? place.base, place) &&
          !isTemporary(resolveTargetPath(word, place) ?? ''),
      ),
  ),
  ask(
    'data_sent',
    'it copies files from outside the working folder to the cloud',
    (name, args, _call, place) =>
      /^(?:aws|gsutil|rclone|mc|s3cmd|az|azcopy|gcloud)$/.test(name) &&
      /\b(?:cp|sync|copy|put|upload)\b/.test(args.join(' ')) &&
      listOperands(args).some(
        (word) =>
          /^[/~]/.test(word) &&
          !isInside(resolveTargetPath(word, place) ?? place.base, place) &&
          !isTemporary(resolveTargetPath(word, place) ?? '') &&
          word !== listOperands(args).at(-1),
      ),
  ),
  askAboutVerbs('data_sent', 'it hands data to others for everybody to see', {
    gh: /gist\s+create|repo\s+edit.*--visibility|repo\s+create.*--public/,
    glab: /snippet\s+create/,
    git: /\bpush\b.*--mirror/,
    mail: /(?:^|\s)-[aA]\s/,
    mutt: /(?:^|\s)-a\s/,
    swaks: /--attach/,
    croc: /send/,
    wormhole: /send/,
    aws: /s3\s+(?:cp|sync)\s+(?:~|\/(?!tmp))\S*\s+s3:/,
    ipfs: /add/,
    pastebinit: true,
    transfer: true,
    onionshare: true,
  }),
  ask(
    'data_sent',
    'it uploads a file to another machine',
    (name, args) =>
      (/^(?:curl|wget)$/.test(name) &&
        (uploaded(name, args).some((word) => word !== '/dev/null') || isFilled(args)) &&
        isElsewhere(args)) ||
      (/^(?:http|https|xh)$/.test(name) && isElsewhere(args) && args.some((word) => /^(?:[\w.-]+)?@[^\s@]+$/.test(word))),
  ),
  ask('data_sent', 'it sends to a machine that has no name', (name, args, call) => {
    if (!SENDERS.test(name) || !args.some((word) => NUMBERED.test(word))) return false;
    if (/^(?:scp|rsync)$/.test(name)) return isRemote(listOperands(args).at(-1) ?? '');
    return (
      (hasData(call) && !/^(?:curl|wget|http|https|xh)$/.test(name)) || uploaded(name, args).length > 0 || /^(?:tftp|logger)$/.test(name)
    );
  }),
  ask('data_sent', 'it copies a database, a dump or an archive to another machine', (name, args) => {
    if (/^(?:scp|rsync)$/.test(name)) return isRemote(listOperands(args).at(-1) ?? '') && listOperands(args).slice(0, -1).some(isHoard);
    if (!/^(?:aws|gsutil|rclone|mc|s3cmd|s5cmd|az|azcopy|gcloud|b2)$/.test(name)) return false;
    return (
      /\b(?:cp|mv|sync|copy|copyto|put|upload|put-object|upload-file)\b/.test(args.join(' ')) &&
      args.some((word, index) => (isHoard(word) || /^\.\/?$/.test(word)) && !/:\/\//.test(word) && index < args.length - 1)
    );
  }),
  ask('data_sent', 'it hands a whole folder or database to another machine', (name, args, { from, piped }) => {
    if (!piped) return false;
    const source = from.at(-1) ?? '';
    if (/^(?:psql|mysql|mariadb|mongorestore|redis-cli)$/.test(name))
      return (
        from.some((each) => DUMPS.test(each)) &&
        listFlagValues(args, /^(?:-h|--host)$/).some((host) => !LOCAL.test(host) && !host.startsWith('/'))
      );
    return (
      name === 'ssh' &&
      (from.some((each) => DUMPS.test(each)) ||
        (/^(?:tar|cat|zip|git|dd|gzip|gpg|base64|xz|zstd)$/.test(source) &&
          /\bcat\s*>|\bdd\s+of=|\btee\b|\btar\s+\S*x|\bcpio\s+-\S*i|\bunzip\b/.test(args.join(' '))))
    );
  }),
  ask('data_sent', 'it puts files on another machine', (name, args, { fed }) => {
    if (!/^(?:ftp|lftp|sftp|tftp|ncftp|ncftpput|smbclient|cadaver)$/.test(name)) return false;
    return (
      name === 'ncftpput' || /\b(?:m?put|reput|mirror\s+(?:-\S+\s+)*-\w*R|mirror\b.*--reverse|send)\b/.test([...args, ...fed].join('\n'))
    );
  }),
  ask('data_sent', 'it pushes to an address that is no remote of this repository', (name, args) => {
    const at = args.indexOf('push');
    return (
      name === 'git' &&
      at >= 0 &&
      listOperands(args.slice(at + 1))
        .slice(0, 1)
        .some((word) => /:\/\/|^[\w.-]+@[\w.-]+:|^[\w-]+\.[\w.-]+:/.test(word))
    );
  }),
  ask('data_sent', 'it sends a file over an encrypted line', (name, args, { reads, piped, from }) => {
    if (name !== 'openssl' || args[0] !== 's_client' || listFlagValues(args, /^-connect$/).some((host) => LOCAL.test(host))) return false;
    return reads.some((word) => word !== '/dev/null') || (piped && !/^(?:echo|printf|true|:|sleep)$/.test(from.at(-1) ?? ''));
  }),
  ask('network_service', 'it shows files outside the working folder to whoever asks', (name, args, call, place) => {
    const said = args.join(' ');
    if (/127\.0\.0\.1|localhost/.test(said)) return false;
    if (/^python[\d.]*$/.test(name))
      return /-m\s+(?:http\.server|SimpleHTTPServer|pyftpdlib|CGIHTTPServer)/.test(said) && isOutside(call.place.cwd ?? '', place);
    if (!/^(?:serve|http-server|live-server|servor|sirv|miniserve|darkhttpd|caddy|webfsd|php)$/.test(name)) return false;
    return (
      /file-server|^(?!.*caddy)/.test(said) &&
      ((name !== 'caddy' && name !== 'php' && isOutside(call.place.cwd ?? '', place)) ||
        listOperands(args).some((word) => /^[~/.]/.test(word) && isOutside(resolveTargetPath(word, place) ?? '', place)))
    );
  }),
  askAboutVerbs('data_sent', 'it hands data to others', {
    restic: /(?:-r|--repo)[= ]*(?:sftp|s3|rest|b2|azure|gs|swift|rclone):.*\bbackup\b/,
    borg: /\bcreate\b.*\w+@[\w.-]+:/,
    logger: /(?:^|\s)(?:-n|--server)\b.*(?:-f|--file)\b/,
    syncthing: true,
    dropbox: /start/,
    aws: /s3\s+presign|sns\s+publish\b.*\uE000|s3api\s+put-object-acl/,
    'magic-wormhole': true,
    ffsend: /upload/,
    tar: /(?:^|\s)--rsh-command/,
    'telegram-send': true,
    ffmpeg: /rtmps?:\/\/|srt:\/\//,
    sendfile: true,
    gh: /repo\s+(?:create\b.*--push|edit\b.*--visibility|fork\b.*--remote.*push)/,
  }),
];

const isOutside = (path: string, place: ShellContext): boolean =>
  path !== '' && path !== place.base && !isInside(path, place) && !isTemporary(path);
