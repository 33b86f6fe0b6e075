import { LOOKING, type Vendors } from './vendor.ts';

/** Whoever rents out machines. Nouns come first, the verb after them. */
const NOUNS_FIRST = `**/${LOOKING}`;

export const CLOUDS: Vendors = {
  aws: {
    fine: `
      */describe-*|list-*|get-*|head-*|batch-get-*|lookup-*|search-*|filter-*|estimate-*|validate-*|check-*|preview-*|simulate-*|test-*|select-*|query|scan|wait|help|tail|select-object-content|start-query|start-live-tail|receive-message|create-log-stream|decode-*
      s3/ls|cp|sync|presign|mb configure/list|list-profiles|get|set|sso sso/login|logout login help ecr/get-* sts/* logs/tail
      cloudformation/package|validate-template lambda/invoke eks/update-kubeconfig codeartifact/login
      dynamodb/scan|query|get-item|batch-get-item athena/start-query-execution history/show|list
    `,
    values: '--profile --region --output --query --endpoint-url --color --ca-bundle --cli-read-timeout --cli-connect-timeout',
    not: 's3/cp|sync/--acl lambda/invoke/--invocation-type',
    sharp: '--delete',
  },
  gcloud: {
    fine: `
      ${NOUNS_FIRST} auth/login|list|configure-docker|print-* auth/application-default/login config/set|list|get|get-value|configurations
      components/list logging/read|tail topic cheat-sheet init feedback container/clusters/get-credentials secrets/versions/access
      builds/submit storage/ls|cat|cp|du|hash compute/config-ssh compute/scp compute/ssh compute/instances/get-serial-port-output
      run/services/logs app/browse sql/connect pubsub/subscriptions/pull
    `,
    values: '--project --account --format --configuration --filter --region --zone --impersonate-service-account --verbosity',
    sharp: '--allow-unauthenticated',
  },
  gsutil: {
    fine: 'ls cat cp du stat hash help version ls rsync mb config test perfdiag acl/get iam/get lifecycle/get cors/get versioning/get',
    sharp: '-d',
    values: '-o -u -h',
  },
  bq: { fine: 'ls show head query help version init load mk', sharp: '--replace', values: '--project_id --location --format' },
  az: {
    fine: `
      ${NOUNS_FIRST} login logout account/set|show|list aks/get-credentials acr/login|build webapp/log|ssh configure interactive upgrade
      functionapp/log monitor/metrics|activity-log graph/query storage/blob/download|list|exists|url extension/list|show|add
      devops/configure bicep/build|lint|install|version repos/pr/list|show pipelines/runs/list|show pipelines/list|show
    `,
    values: '--subscription -o --output --query -g --resource-group -n --name',
    sharp: '--admin --public-access --allow-blob-public-access',
  },
  azcopy: { fine: 'list login logout env doc jobs/list|show copy cp bench', sharp: '--delete-destination' },
  azd: { fine: 'env/list|get-values|select|new init auth/login show monitor package config/show version template/list' },
  'doctl linode-cli linode vultr vultr-cli scw ibmcloud oci openstack nova exo civo upctl hcloud gcutil equinix metal ovhcloud ovh stackit ionosctl katapult brightbox triton lambda-cli paperspace runpodctl vastai tccli aliyun bce yc':
    {
      fine: `
        ${NOUNS_FIRST} auth/init|list|switch context/use|active|list kubernetes/cluster/kubeconfig kubernetes/cluster/list registry/login
        config/set|list|get profile/list login logout init configure target compute/ssh server/ssh server/describe|list ssh
      `,
      values:
        '--context --region --output -o --profile --query --project --os-cloud --format -t --config -c --compartment-id --zone --filter',
      sharp: '--force --force-delete-all',
    },
  cf: {
    fine: `
      apps a app login l logout target t orgs o spaces space services s env e logs events buildpacks routes r help version plugins
    `,
  },
  eb: { fine: 'status health logs list events printenv init use config/list|get open console ssh local platform/list' },
  copilot: { fine: '**/ls|show|status|logs|init|package|version|docs app/show|ls' },
  amplify: { fine: 'status init configure pull codegen mock help env/list|checkout|get console diagnose' },
  sam: { fine: 'build validate init logs local package list docs traces pipeline/init ' },
  'serverless sls': { fine: 'info logs offline print package login plugin/list invoke metrics doctor' },
  'cdk cdktf': { fine: 'ls list synth synthesize diff init doctor docs context metadata acknowledge notices get convert login ' },
};
