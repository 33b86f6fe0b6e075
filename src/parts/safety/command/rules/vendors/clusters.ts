import { LOOKING, type Vendors } from './vendor.ts';

/** Clusters and what runs on them. What is handed on behind `exec` is judged by itself. */
const KUBERNETES = {
  fine: `
    get describe logs top explain version api-resources api-versions cluster-info
    config/view|get-*|current-context|use-context|set-context|set|rename-context auth/can-i/... auth/whoami diff
    rollout/status|history|pause|resume wait exec port-forward proxy cp attach completion kustomize apply create/-* create run events
    plugin options scale autoscale label annotate alpha/debug debug login logout whoami project projects status
    krew/search|list|info|update|install ctx ns neat tree stern new-project rsh rsync adm/top adm/must-gather image/info kots view-secret
  `,
  not: 'create/clusterrolebinding|rolebinding|token|clusterrole run/--privileged config/set-credentials',
  sharp: '--prune --force --overwrite --grace-period --replicas=0 --now --cascade',
  values:
    '-n --namespace --context --kubeconfig --cluster --user -s --server --token --as --as-group -l --selector -o --output -f --filename --request-timeout -v -c --container',
} as const;

export const CLUSTERS: Vendors = {
  'kubectl k kubecolor microk8s.kubectl': KUBERNETES,
  oc: KUBERNETES,
  helm: {
    fine: `
      list ls status history hist get/* search/* show/* inspect/* template lint version env dependency/* dep/*
      repo/list|add|update|index|up create package pull fetch install upgrade verify test completion plugin/list|install|update
      registry/login|logout diff/* secrets/* unittest schema-gen docs
    `,
    sharp: '--force --force-replace --no-hooks',
    values: '-n --namespace --kube-context --kubeconfig',
  },
  helmfile: {
    fine: `list status diff template lint build deps repos fetch write-values version cache/info test show-dag`,
    values: `-e --environment -f --file -l --selector -n --namespace`,
  },
  argocd: {
    fine: `
      login logout context version app/get|list|diff|history|logs|manifests|resources|wait|sync|create
      account/list|get|can-i|get-user-info cluster/list|get repo/list|get proj/list|get completion relogin cert/list
    `,
    sharp: '--prune --force --replace --core',
    values: '--server --auth-token --grpc-web-root-path',
  },
  flux: {
    fine: `
      get/* check logs events stats tree/* trace export/* diff/* build/* version completion reconcile/* debug/* pull/* envsubst
    `,
    sharp: `--prune --force`,
  },
  'istioctl linkerd cilium hubble velero crossplane kustomize skaffold tilt devspace okteto telepresence kubie': {
    fine: `
      **/${LOOKING} analyze ci diagnose proxy-status ps proxy-config/* pc/* dashboard d bug-report profile/* manifest/* build render dev run debug
      up init fix image/* config/* fs k8s repo sbom cluster identity observe flow edges score convert connect intercept leave quit
      gather-logs status-* use exec port-forward sync trace endpoints endpoint bpf edit/* cfg/* x/* experimental/* beta/*
    `,
    sharp: '--force --purge --delete --all',
  },
  'kops eksctl gkectl rosa ocm clusterctl k0sctl rke talosctl capi tkg tanzu': {
    fine: `
      **/${LOOKING} utils/describe-* utils/write-kubeconfig export/kubeconfig toolbox/* validate/* get-* generate/* config/* dashboard
      dmesg containers memory processes services stats kubeconfig login init
    `,
  },
  rancher: { fine: `**/${LOOKING} login context/* kubectl clusters projects nodes ps namespaces settings ssh ` },
  nomad: {
    fine: `
      status node/status job/status|plan|history|inspect|validate|init|allocs|deployments|run alloc/status|logs|fs|exec
      deployment/list|status eval/list|status server/members agent-info version ui plan validate run fmt monitor namespace/list|status
      operator/raft/list-peers var/list|get acl/token/self service/list|info volume/status
    `,
    sharp: `-purge -force`,
  },
  kubeadm: { fine: `version config/* token/list certs/check-expiration upgrade/plan completion` },
  'minikube kind k3d colima limactl lima microk8s k3s k0s rdctl multipass crc kwokctl ctlptl orb': {
    fine: `
      start stop status list ls get/* create/* load/* image/* export/* dashboard ip logs addons/* service tunnel kubectl ssh shell
      node/list|add|start|stop profile/* cluster/create|list|get|start|stop kubeconfig/* registry/* docker-env update-context pause
      unpause config/* version completion cache/* mount cp info edit launch exec transfer find networks get set alias aliases mounts
      umount snapshot copy template/* sudoers start-at-login console oc-env bundle/* validate inspect enable ctr build import
    `,
    sharp: '--delete --purge --force --reset',
    values: '-p --profile -n --name',
  },
  consul: {
    fine: `
      members info kv/get|export|put catalog/* services/list|register health/* version operator/raft/list-peers validate monitor rtt watch
      connect/proxy intention/list|check|get acl/token/read login
    `,
  },
  etcdctl: {
    fine: `
      get watch member/list endpoint/* snapshot/status|save version user/list|get role/list|get put lease/list|timetolive alarm/list
      check/* elect lock
    `,
    values: `--endpoints --cacert --cert --key --user --password --dial-timeout --command-timeout`,
  },
  'vault bao': {
    fine: `
      status login list read version path-help print/* kv/list|get|put|patch|metadata token/lookup|capabilities|renew|create secrets/list
      auth/list|help policy/list|read|fmt audit/list operator/members|diagnose|raft plugin/list|info namespace/list|lookup debug monitor
      ssh unwrap agent proxy pki/health-check|list-intermediates lease/lookup|renew write version-history hcp
    `,
    sharp: '-force -f',
    values: '-address -namespace -format -field',
  },
};
