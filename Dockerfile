# The image of Carillon, for the processor of the machine that builds it. Everything is installed and built inside, nothing is taken from the
# machine; Docker 23 or newer, or an older one with DOCKER_BUILDKIT=1.
#
#   docker build --tag carillon .                          with ffmpeg, for videos and for thumbnails of documents
#   docker build --build-arg VIDEO=no --tag carillon .     without: less than half the size, and videos are refused
#
# A package registry of your own goes in as a secret, which no layer keeps: --secret id=npmrc,src=$HOME/.npmrc
FROM node:24.21.0-bookworm-slim AS app
WORKDIR /src
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc npm install --global --no-audit --no-fund pnpm@12.18.0
COPY . .
# Only the packages that the program is made of. The rest of the workspace is for tests.
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc --mount=type=cache,target=/store \
  pnpm install --frozen-lockfile --store-dir /store --filter @carillon/scripts --filter @carillon/server --filter @carillon/web \
    --filter @carillon/cli --filter @carillon/mcp --filter @carillon/sdk --filter @carillon/contract --filter @carillon/core --filter @carillon/connectors --filter @carillon/simulator \
  && node scripts/build.ts --out /app

# The same Node, the sandbox of the decoders, and what opens media.
FROM node:24.21.0-bookworm-slim AS system
ARG VIDEO=yes
RUN apt-get update \
  && apt-get install --yes --no-install-recommends bubblewrap ca-certificates netbase $([ "$VIDEO" = no ] || echo ffmpeg poppler-utils fonts-dejavu-core) \
  && rm -rf /var/lib/apt/lists/*
COPY --from=app /app/ /app/
COPY deploy/image/collect.sh /
RUN sh /collect.sh /image /app

FROM scratch
COPY --from=system /image/ /
COPY --from=system --chown=10001:10001 /image-data/ /
COPY --from=app /app/ /app/
COPY deploy/image/health.ts deploy/image/prepare.ts /app/
ENV NODE_ENV=production \
    PATH=/usr/bin \
    SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt \
    CARILLON_HOST=0.0.0.0 \
    CARILLON_MEDIA_DIR=/data/media
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 3000 9080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=10s --start-period=60s --retries=3 CMD ["/usr/bin/node", "/app/health.ts"]
ENTRYPOINT ["/usr/bin/carillon"]
CMD ["serve"]
