import type { Call, CommandRule } from '../call/call.ts';
import { isVerbLike } from './loss.ts';
import { ask, toWordSet, listOperands, listFlagValues, askAboutVerbs } from './rows.ts';
import { LOCAL } from './sending.ts';
import { WORKSHOP } from './workshop.ts';

/** Verbs by which a build tool puts something where others get it. */
const PUBLISHES =
  /(?:^|[:_.-])(?:publish|unpublish|deploy|upload|submit|yank|release-perform|altool)(?:$|[:_.-])|^publish(?!To(?:Maven)?Local|Local|ToBuild)[A-Z]\w*$|^release:(?:perform|clean)$/;
/** What those words mean something else to: a folder of one's own, a board on the desk, tasks of the project. */
const OTHERWISE = toWordSet(`
  dotnet msbuild pio platformio arduino-cli idf.py west esptool.py make gmake just task go-task mage rake invoke inv npx pnpx bunx uvx git
  curl code php docker psql mysql sqlite3 redis-cli
`);
/** Behind `run` stand tasks of the project. */
const isTask = (words: readonly string[]): boolean => /^(?:run|run-script|exec|test|task|start)$/.test(words[0] ?? '');
const isFile = (word: string): boolean => /[/\\]|\.[a-z]\w{0,3}$/.test(word);
const tries = (args: readonly string[]): boolean =>
  args.some((word) => /^(?:--help|--dry-run|-n|--dry|--dryrun|--no-publish|--snapshot|--list|--check)$/.test(word));

const isPublishing = ({ name, args }: Call): boolean => {
  const tool = name === 'gradlew' ? 'gradle' : name === 'mvnw' ? 'mvn' : name;
  const words = listOperands(args);
  if (!WORKSHOP.has(tool) || OTHERWISE.has(tool) || tries(args) || isTask(words)) return false;
  // Gradle, Maven and sbt take any number of tasks.
  const said = /^(?:gradle|mvn|sbt|lein|mill)$/.test(tool) ? words : words.slice(0, 3);
  return said.some((word) => isVerbLike(word) && !isFile(word) && PUBLISHES.test(word));
};

/** Packages, pages and programs others get. */
/** Remotes by whose name a push is a release. */
const DEPLOYS = /^(?:heroku|dokku|prod|production|live|deploy|gigalixir|scalingo|clever|azure|piku)$/;

export const PUBLISHING: readonly CommandRule[] = [
  ask('published', 'it puts the work where others use it', (name, args) => {
    const at = name === 'git' ? args.indexOf('push') : -1;
    return (
      at >= 0 &&
      !tries(args) &&
      listOperands(args.slice(at + 1))
        .slice(0, 1)
        .some((word) => DEPLOYS.test(word))
    );
  }),
  ask(
    'published',
    'it tells devices or programs at another place to do something',
    (name, args) =>
      /^(?:mosquitto_pub|hbmqtt_pub|mqttx)$/.test(name) && !listFlagValues(args, /^(?:-h|--host)$/).every((host) => LOCAL.test(host)),
  ),
  ask('published', 'it publishes something others will get, or takes it back', (_name, _args, call) => isPublishing(call)),
  ask('published', 'it publishes something others will get, or takes it back', (name, args) => ALWAYS.has(name) && !tries(args)),
  askAboutVerbs('published', 'it changes who may publish, or what others get', {
    npm: /^(?:deprecate|undeprecate|owner|access\s+(?:grant|revoke|set|public|restricted)|dist-tags?\s+(?:rm|add)|team\s+(?:create|destroy|add|rm)|org\s+(?:set|rm)|hook\s+(?:add|rm|update)|profile\s+(?:set|enable|disable)|token\s+(?:revoke|delete|create)|stars?|trust)\b/,
    yarn: /^(?:owner|npm\s+(?:publish|tag))\b/,
    cargo: /^owner\b/,
    gem: /^(?:owner|push)\b/,
    twine: /^register\b/,
    dotnet: /nuget\s+(?:push|delete)/,
    nuget: /push|delete/,
    docker: /^(?:-\S+\s+)*(?:push|(?:image|manifest|compose|plugin)\s+push)\b/,
    podman: /^(?:(?:image|manifest)\s+)?push\b/,
    helm: /^push\b/,
    goreleaser: /^(?!.*--snapshot)(?:release|publish)/,
    'release-it': /^(?!.*(?:--dry-run|--no-npm|--release-version))/,
    pod: /trunk\s+(?:push|delete|deprecate)/,
    mix: /hex\.(?:publish|retire|owner)/,
    cabal: /upload.*--publish/,
    cpanm: /--upload/,
    xcrun: /altool.*--upload|notarytool\s+submit|stapler/,
    fastlane: /\b(?:release|deliver|beta|upload\w*|pilot|supply|deploy|match\s+nuke)\b/,
    eas: /\bsubmit\b|--auto-submit|update\b.*--(?:branch|channel)[= ]production/,
    code: /^tunnel\b/,
    flutter: /^pub\s+publish/,
    dart: /^pub\s+(?:global\s+)?publish/,
  }),
];
/** Programs that do nothing else. */
const ALWAYS: ReadonlySet<string> = new Set([
  'semantic-release',
  'np',
  'gh-pages',
  'cpan-upload',
  'npm-publish',
  'dput',
  'debrelease',
  'bumpp',
  'clean-publish',
  'ghr',
  'cargo-release',
]);
