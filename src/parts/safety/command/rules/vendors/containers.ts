import { type Vendors } from './vendor.ts';

/** What a container tool may do without losing a container, an image or a volume. */
const ENGINE = {
  fine: `
    ps images image/ls|list|build|pull|inspect|history|tag|load|save|import
    container/ls|list|inspect|logs|top|stats|start|stop|restart|run|exec|create|attach|cp|diff|port|wait|pause|unpause|rename|export build
    buildx/build|ls|prune|inspect|bake|create|use|du|version|history|imagetools builder/build|prune run exec logs attach start stop restart pause
    unpause wait top stats events inspect port diff cp create rename tag pull save load import export search history info version login
    logout volume/ls|list|create|inspect network/ls|list|create|inspect|connect|disconnect system/df|info|events|dial-stdio
    context/ls|list|use|show|inspect|create|export|import
    compose/up|ps|ls|logs|build|pull|config|convert|exec|run|start|stop|restart|top|images|port|create|pause|unpause|events|version|cp|watch|attach|wait|stats|down|rm|viz|volumes|export|alpha|scale|images
    manifest/inspect|create|annotate plugin/ls|inspect trust/inspect scout/* sbom init node/ls|ps|inspect service/ls|ps|logs|inspect
    stack/ls|ps|services|config secret/ls|list|inspect config/ls|inspect swarm/ca|join-token
    machine/list|ls|start|stop|init|ssh|inspect|info|env|ip|status pod/ps|ls|list|create|start|stop|inspect|logs|stats|top|restart
    generate/* play/kube kube/play|generate|apply healthcheck/run unshare mount quadlet/* farm/* images desktop/*
    model/list|pull|run|status debug extension/ls mcp/* offload/status ai wait dev commit
  `,
  not: `
    swarm/ca/--rotate compose/down/-v|--volumes|--rmi compose/rm/-v|--volumes commit/--change|-c image/build/--push buildx/build/--push buildx/bake/--push
    build/--push compose/build/--push run/--disable-content-trust builder/prune/-a|--all buildx/prune/-a|--all
  `,
  values: `
    -H --host -c --context --config -l --log-level --connection --url -f --file -p --project-name --env-file --profile --project-directory
    --ansi --progress --parallel --namespace -n
  `,
} as const;

export const ENGINES: Vendors = {
  'docker podman nerdctl finch docker.io': ENGINE,
  'docker-compose podman-compose': {
    not: 'down/-v|--volumes|--rmi rm/-v|--volumes build/--push',
    fine: `
      up ps ls logs build pull config exec run start stop restart top images port create pause unpause events version cp watch attach wait
      stats down rm scale convert help
    `,
    values: '-f --file -p --project-name --env-file --profile --project-directory --ansi --progress --parallel',
  },
  buildah: {
    fine: `
      images containers bud build from run config commit inspect mount unmount umount pull tag version info copy add login logout
      manifest/inspect|create|add unshare
    `,
  },
  'crictl ctr': {
    fine: `
      ps pods img imagefsinfo inspect* logs stats info version exec images/ls|list|pull|check containers/ls|list|info c/ls i/ls
      tasks/ls|list namespaces/ls|list ns/ls version plugins/ls statsp imagefsinfo events content/ls run pull
    `,
    values: `-n --namespace -a --address -r --runtime-endpoint`,
  },
  skopeo: { fine: 'inspect list-tags login logout manifest-digest standalone-verify ' },
  'crane regctl oras cosign': {
    fine: `
      manifest digest ls list catalog config pull export validate version auth blob tag/ls|list image/inspect|manifest|digest|config
      repo/ls tag/* verify tree discover triangulate download/* login logout manifest/get|head|diff repo/tags copy cp
    `,
  },
  'distrobox toolbox': { fine: 'list ls create enter run stop assemble/create export generate-entry upgrade ephemeral' },
  'qemu-img': { fine: 'info check create convert compare map measure dd bench ', sharp: '-d -a --shrink' },
  'singularity apptainer': {
    fine: `
      exec run shell build pull inspect version cache/list search verify help instance/list|start|stop key/list|search sif/list test
      overlay/create remote/list|status
    `,
  },
};
