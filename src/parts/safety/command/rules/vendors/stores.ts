import { LOOKING, type Vendors } from './vendor.ts';

/** Read and count, set one key, ask how it is: the everyday commands of a key-value store, in small letters. */
const KEYS = `
  ping info get mget set setex psetex setnx mset getset append strlen incr incrby incrbyfloat decr decrby exists keys scan ttl pttl type
  expire expireat pexpire persist touch randomkey dbsize echo select time hget hmget hgetall hkeys hvals hlen hexists hset hmset hsetnx
  hincrby hscan hstrlen lrange llen lindex lpush rpush linsert lset smembers sismember smismember scard sadd sscan srandmember sinter
  sunion sdiff zrange zrevrange zrangebyscore zrevrangebyscore zscore zcard zcount zrank zadd zincrby zscan getrange bitcount getbit
  setbit pfadd pfcount geoadd geopos geodist geosearch xlen xrange xrevrange xread xinfo/* xadd xpending memory/* object/* slowlog/get|len
  latency/* client/list|info|getname|id config/get command command/* cluster/info|nodes|slots|shards|keyslot|myid role lastsave bgsave
  save monitor subscribe psubscribe publish pubsub/* acl/whoami|list|cat|users module/list json.get json.set json.mget json.type ft.search
  ft.info ft._list ft.aggregate ts.get ts.range ts.info function/list script/exists debug/object wait multi exec
  del|unlink/*cache*|*tmp* sentinel/masters|get-master-addr-by-name|slaves|replicas hello auth lolwut sort_ro lpos getex dump
`;

/** Programs that run a store or a queue, besides those that are spoken to in SQL. */
export const STORES: Vendors = {
  'kcat kafkacat': { fine: '*', sharp: '-P', values: '-b -t -X -G -F -o -c -f' },
  'redis-cli valkey-cli keydb-cli': {
    fine: `${KEYS} ${KEYS.toUpperCase()}`,
    sharp: '--pipe --functions-rdb --eval --cluster',
    values: '-h -p -a -n -u --user --pass -s -r -i -t --pattern -d --cacert --cert --key -X --quoted-pattern --count',
  },
  mysqladmin: {
    fine: 'status ping version processlist extended-status variables create',
    values: `-u --user -h --host -P --port -S --socket --defaults-file -i -c`,
  },
  pg_ctl: { fine: 'status start init initdb reload logrotate', values: '-D --pgdata -l --log -o -w -t' },
  pg_ctlcluster: { fine: '*/*/status|start' },
  'rabbitmqctl rabbitmq-diagnostics rabbitmqadmin': {
    fine: `
      status list_* cluster_status node_health_check ping help version environment report list show get declare publish check_*
      memory_breakdown observer listeners alarms add_vhost list_queues await_startup wait export
    `,
    values: '-n --node -p --vhost -t --timeout -u -H -P -q --formatter -V --username --password --host --port',
  },
  'rabbitmq-plugins': { fine: 'list enable is_enabled directories', values: '-n' },
  'kafka-topics kafka-topics.sh kafka-console-consumer kafka-console-consumer.sh kafka-console-producer kafka-console-producer.sh kafka-consumer-groups kafka-consumer-groups.sh kafka-configs kafka-configs.sh kafka-acls kafka-acls.sh kafka-reassign-partitions kafka-reassign-partitions.sh kafka-leader-election kafka-leader-election.sh kafka-streams-application-reset kafka-streams-application-reset.sh':
    { fine: '*', sharp: '--delete --reset-offsets --execute --delete-offsets --alter --remove --to-earliest --to-latest --input-topics' },
  'kafka-delete-records kafka-delete-records.sh kafka-storage kafka-storage.sh zookeeper-shell zookeeper-shell.sh': {
    fine: `random-uuid info ls get`,
    bare: 'sharp',
  },
  'nats nsc': {
    fine: `
      **/${LOOKING} pub sub req reply account/info|report server/ping|info|list|report|check|request context/* ctx/*
      stream/ls|info|view|get|report|add|find|state str/ls|info|view consumer/ls|info|next|report|add con/ls|info
      kv/get|ls|add|put|watch|history object/ls|get|put|info obj/ls rtt latency bench events schema/*
    `,
    values: `-s --server --context --user --password --creds --nkey --timeout`,
    sharp: `--force -f`,
  },
  'rpk pulsar-admin pulsarctl': {
    fine: `
      **/${LOOKING} topic/list|describe|consume|produce|create group/list|describe
      cluster/info|health|status|metadata|config|logdirs|storage topics/list|stats|get|create|peek-messages|info namespaces/list|policies
      tenants/list brokers/list|healthcheck profile/* container/start|status registry/*
    `,
    values: `-b -t -X --brokers -X`,
  },
  influx: {
    fine: `
      ping query bucket/list|create org/list|create user/list auth/list write config config/list|create|set v1/* version export template
      setup task/list|log
    `,
    values: `--host --token -t --org -o`,
    sharp: `--force`,
  },
  celery: { fine: '*', values: '-A --app -b --broker --workdir', sharp: 'purge' },
  'mosquitto_ctrl beanstool qpid-config artemis memcached-tool memctl': {
    fine: `**/${LOOKING} dump display settings queue/stat dynsec/list* dynsec/get* queues exchanges check/*`,
  },
  'cypher-shell neo4j neo4j-admin arangosh dgraph': {
    fine: `status start version console help match return explain profile server/status|report|console *`,
    sharp: `--overwrite-destination --force --expand-commands --overwrite`,
    values: `-u -p -a -d --format -f`,
  },
  'elasticsearch-keystore opensearch-keystore elasticsearch-users elasticsearch-plugin': { fine: 'list create has-passwd show' },
  'patronictl repmgr pgbackrest barman wal-g wal-e pghoard stolonctl pg_autoctl pgbouncer mongocli atlas-cli ravel cassandra nodetool cqlsh-admin scylla':
    {
      fine: `
        **/${LOOKING} backup check info list-* show-* status* *stats ring gossipinfo cluster/show|matrix|event node/status|check
        daemon/status backup-list backup-push wal-show wal-verify spec topology dsn describecluster describering getendpoints netstats
        proxyhistograms tablehistograms compactionstats gettimeout list-files
      `,
      sharp: `--force --repo-delete`,
    },
  mysqlsh: { fine: '*' },
  cockroach: {
    fine: `
      sql demo version node/status|ls init start start-single-node cert/* gen/* debug/zip workload/* statement-diag/list auth-session/list
    `,
    sharp: `--insecure`,
  },
  'turso planetscale pscale neonctl neon xata convex appwrite hasura fauna': {
    fine: `
      **/${LOOKING} auth/* dev shell db/list|show|shell|create|tokens|inspect branch/list|show|create|schema|diff
      database/list|show|create branches/list|get|create|schema-diff projects/list|get databases/list connect connect-string
      connection-string console migrate/status|create|apply metadata/diff|inconsistency|export|apply login init version codegen run
      env/get|list data import
    `,
  },
};
