# An image of Hermes: docs/docker.md says how to use it.
#   docker build -t hermes .
# BASE can be another Debian (12 or newer); BUILDER can be any image with npm, Node 20 or newer and apt.
ARG BASE=docker.io/library/debian:bookworm-slim
ARG BUILDER=docker.io/library/node:26-slim

FROM ${BUILDER} AS build
# libatomic1: for the Node of the packages. binutils: strip.
RUN apt-get update && apt-get install -y --no-install-recommends binutils libatomic1
WORKDIR /hermes
# Before the sources, so that a change of the sources does not install the packages again.
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build
# What the npm package has, with the packages it needs. Node comes without its headers, and once.
RUN mkdir -p /image/bin /image/hermes \
 && npm pack --ignore-scripts \
 && tar -xzf hermes-ts-*.tgz -C /image/hermes --strip-components=1 \
 && npm prune --omit=dev --ignore-scripts --no-audit --no-fund \
 && strip -o /image/bin/node "$(readlink -f node_modules/.bin/node)" \
 && rm -r node_modules/node-* node_modules/.bin \
 && cp -a node_modules /image/hermes

FROM ${BASE}
# Of the user in the image: the owner of the files it works on.
ARG USER_ID=1000
# libatomic1: for Node. tini: hands signals on and buries the children of commands.
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates git libatomic1 tini \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt /var/log/apt /var/log/dpkg.log \
 && useradd --create-home --uid "$USER_ID" --shell /bin/bash hermes \
 && install -d -m 700 -o hermes -g hermes /home/hermes/.hermes \
 && install -d -o hermes -g hermes /workspace
COPY --from=build /image/bin /usr/local/bin
COPY --from=build /image/hermes /opt/hermes
RUN ln -s /opt/hermes/bin/hermes /usr/local/bin/hermes
# Set for `hermes update`, which says that the image has to be replaced.
ENV HERMES_IMAGE=1
USER hermes
WORKDIR /workspace
ENTRYPOINT ["tini", "--", "hermes"]
