# syntax=docker/dockerfile:1
# One image for every role: ROLE=web answers people, ROLE=worker works off jobs, without ROLE it does both.

FROM node:24-bookworm-slim AS build
WORKDIR /velour
COPY package.json package-lock.json ./
COPY packages ./packages
COPY scripts ./scripts
# The Node of the image is new enough, and nobody tests in here.
RUN npm ci --workspaces=false --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build \
  && npm prune --workspaces=false --omit=dev --ignore-scripts --no-audit --no-fund \
  && rm -rf web

FROM node:24-bookworm-slim
RUN apt-get update \
  && apt-get install --yes --no-install-recommends ffmpeg tini \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --system --uid 10001 --create-home --home-dir /data velour
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data DEMO=off MALLOC_ARENA_MAX=2
WORKDIR /velour
COPY --from=build /velour ./
# The repository is not in the image: --build-arg VELOUR_COMMIT=$(git rev-parse HEAD)
ARG VELOUR_COMMIT=
ENV VELOUR_COMMIT=$VELOUR_COMMIT
USER velour
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/readyz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["tini", "--"]
CMD ["node", "--disable-warning=ExperimentalWarning", "--max-semi-space-size=4", "--heap-growing-percent=30", "server/main.ts"]
