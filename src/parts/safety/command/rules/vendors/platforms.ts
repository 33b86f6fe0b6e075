import { LOOKING, type Vendors } from './vendor.ts';

/** Where pages and services are put for others to see. */
export const PLATFORMS: Vendors = {
  caddy: {
    fine: `
    fmt validate run start reload adapt version list-modules environ file-server respond hash-password build-info upgrade help
  `,
  },
  heroku: {
    fine: `
      logs ps releases apps apps:info apps:create apps:open info addons addons:info addons:docs pg pg:info pg:psql pg:diagnose pg:ps
      pg:locks pg:backups pg:outliers pg:credentials login logout auth:whoami auth:login whoami status version help domains certs open run
      run:detached local local:start git:remote git:clone buildpacks features labs access stack stacks pipelines pipelines:info
      pipelines:diff redis redis:info redis:cli config config:get config:set create maintenance ps:exec ps:type ps:restart releases:info
      releases:output plugins regions sessions spaces teams members webhooks drains notifications update autocomplete
    `,
    values: '-a --app -r --remote -t --team',
  },
  'fly flyctl': {
    fine: `
      **/${LOOKING} apps/list|open auth/login|whoami|logout config/show|validate|display|save dashboard dig doctor machine/list|status
      proxy ssh/console|sftp|issue wireguard/list|status postgres/connect|list pg/connect|list redis/list|status checks/list image/show
      platform/* orgs/list secrets/list|set volumes/list|show ips/list certs/list|show|check regions/list releases version console mcp
    `,
    values: '-a --app -c --config -o --org -t --access-token',
  },
  vercel: {
    fine: `
      dev build inspect list ls logs login logout whoami link pull env/ls|list|pull|add project/ls|list domains/ls|inspect dns/ls certs/ls
      teams/ls|switch alias/ls help init switch git/connect telemetry bisect deploy blob/list curl integration/list
    `,
    sharp: '--prod --production --force --public',
    values: '-A --local-config -S --scope -t --token --cwd',
  },
  netlify: {
    fine: `
      dev build status login logout link init open watch logs functions:list functions:invoke functions:serve functions:create sites:list
      env:list env:import env:get env:set api:list switch completion deploy addons:list blobs:list blobs:get recipes serve dev:exec
      lm:info sites:create clone
    `,
    sharp: '--prod --prodIfUnlocked -p --prod-if-unlocked',
    values: '--filter --auth --site -s --dir -d',
  },
  wrangler: {
    fine: `
      dev tail whoami login logout types init docs check/* version versions/list|view deployments/list|status|view
      d1/list|info|execute|migrations|create|export|time-travel kv/namespace/list|create kv/key/get|list|put kv:namespace kv:key
      r2/bucket/list|create|info r2/object/get|put queues/list|info|create secret/list pages/dev|project pages/deployment/list|tail
      pages/functions|download pages/project/list|create hyperdrive/list|get vectorize/list|get|info|query tunnel/list telemetry setup
      generate build d1/insights cert/list
    `,
    values: '-c --config -e --env --cwd',
    sharp: '--force',
  },
  railway: {
    fine: `
      status logs login logout whoami link init list run shell open connect docs environment variables service domain/list ssh add
      volume/list
    `,
    values: `-s --service -e --environment`,
  },
  render: { fine: `**/${LOOKING} login psql ssh workspace/* services/list blueprints/validate` },
  firebase: {
    fine: `
      login logout login:list login:use use init serve emulators:start emulators:exec emulators:export emulators:* projects:list apps:list
      apps:sdkconfig apps:create functions:log functions:list functions:shell functions:config:get hosting:sites:list hosting:channel:list
      firestore:indexes firestore:databases:list database:get database:profile database:instances:list target open help setup:*
      experiments:* ext:list ext:info remoteconfig:get auth:export auth:import crashlytics:*upload appdistribution:testers:list
    `,
    values: '-P --project --account -c --config --token',
  },
  supabase: {
    fine: `
      init start stop status login link gen/types|keys|* db/diff|lint|pull|dump|start|push migration/new|list|up|fetch
      functions/new|serve|list|download projects/list orgs/list branches/list|get services secrets/list|set test/db|new inspect/*
      completion bootstrap seed/* storage/ls|cp snippets/list unlink
    `,
    sharp: '--no-backup --linked',
    values: '--workdir --profile --dns-resolver',
  },
  surge: { fine: 'list login whoami logout plan' },
  'dokku kamal caprover coolify porter koyeb northflank zeabur deta qovery platform upsun clever scalingo gigalixir stormkit pantheon terminus lagoon kinsta forge vapor envoyer ploi acli':
    {
      fine: `
        **/${LOOKING} login logout apps:list apps:report ps:report config:show domains:report logs build init details lock:status config
        app/logs|details|version|containers app/exec
      `,
      values: `-a --app -e --environment -p --project -d --destination`,
    },
  'bitcoin-cli litecoin-cli dogecoin-cli lncli lightning-cli monero-wallet-cli solana near geth cardano-cli eth': {
    fine: `
      get* list* decode* estimate* validate* help balance block* tx account address config/get|set epoch* gas* logs ping slot
      cluster-version version uptime describe* query/* state view
    `,
    values: '-datadir -conf -rpcwallet --url -u --keypair -k --network',
  },
  cast: {
    fine: `
      call balance block* chain* tx receipt logs storage abi-* *-decode decode-* sig* 4byte* keccak to-* from-* --to-* nonce code codesize
      age base-fee gas-price find-block interface namehash lookup-address resolve-name estimate rpc run wallet/new|address|list|vanity
      max-* min-* format-* concat-hex parse-* shl shr etherscan-source creation-code implementation admin index calldata* pretty-calldata
      hash-* compute-address completions
    `,
  },
  stripe: {
    fine: `**/${LOOKING} listen trigger login logout fixtures serve samples/* events/* logs/tail config status resources`,
    sharp: `--live --force`,
  },
  'twilio flarectl cloudflared ngrok-api sendgrid mailgun datadog-ci newrelic sentry-cli pagerduty pd slack okta auth0 contentful sanity shopify expo-cli eas amplitude algolia meilisearch':
    {
      fine: `
        **/${LOOKING} login logout init dev serve build/* use theme/dev|pull|check|list|info app/dev|info|build|init update/* start
        config/* whoami tunnel/list|info access/curl releases/propose-version|new|set-commits|finalize|list sourcemaps/* send-event
        build:* project:* env:list channel:list tunnel access
      `,
      values: '--profile -p --project --org -o --auth-token',
    },
};
